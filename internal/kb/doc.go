// Package kb is Strata's knowledge base: which driver reports which CUDA, which library belongs to which package, what an
// error number means. It is data with sources, not code: every fact is a row of a file under data, every row names its
// source, every file says the day it describes and how far it reaches.
//
// # Files
//
// A matrix is a CSV file, records with prose are a YAML file. Both start with two comment lines:
//
//	# as_of: 2026-11-30
//	# horizon: driver 620
//
// as_of is the day the file describes. horizon is the newest thing it knows, as a scheme and a version; a question
// about something newer is answered with Beyond, never with the last row. Columns are the `kb` struct tags of the
// row type, no more and no fewer. Every row has the columns src (ids of sources.csv, separated by semicolons) and
// confidence (high, medium, low).
//
// # Adding a table
//
// Write data/<folder>/<name>.csv, and <name>.go with a row type that embeds [Row], a variable made by csvFile or yamlFile
// (which registers it with [Base.Lint]) and the query methods on [Base]. Sources go into sources.csv in the same folder or
// in data itself; their ids share one name space.
//
// # Adding a row
//
// Add the line, add its source if it is new, set as_of. go test ./internal/kb prints every problem with file and line.
package kb
