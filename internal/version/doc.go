// Package version holds one type for each version scheme met in a GPU
// software stack, and a half-open [Range] over any of them.
//
// What the package promises:
//
//   - Schemes do not mix. Each scheme is its own type, so asking whether a
//     Debian package version is older than a driver version does not compile.
//     No parser falls back to another scheme: text that does not fit is an error.
//   - Text survives. String returns the text that was parsed, without
//     surrounding white space, so a report shows what the machine said.
//     [ComputeCapability] is the exception: it has one spelling per purpose.
//   - Order is total. Compare is antisymmetric and transitive over everything
//     the parser accepts. Versions written differently may compare equal
//     ("545.23.08" and "545.23.8"); compare with Compare, not with ==.
//   - The zero value means "no version known". Its text form is "", it sorts
//     before every version, and no [Range] and no [Specifier] contains it.
//   - Input is hostile. Parsers accept at most 256 bytes, do not recurse and do
//     not panic. A number that does not fit an int is an error, or, in the deb
//     and rpm schemes, is compared digit by digit as their own tools do.
//
// Where a tool defines the order (dpkg, rpm, Python's packaging), the tests
// compare with answers of that tool, kept in testdata.
package version
