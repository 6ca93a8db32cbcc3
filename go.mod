module strata

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0 // containerd's, CRI-O's and the NVIDIA container toolkit's configuration files
	github.com/aquasecurity/go-pep440-version v0.0.1 // grammar of Python versions (order and specifiers are ours, see version.PEP440)
	github.com/creack/pty v1.1.24 // strata run: a terminal for a command whose output is read along
	github.com/ebitengine/purego v0.11.3 // calls NVIDIA's libraries without cgo; in strata-probe only, which is always a child
	github.com/google/go-cmp v0.7.0 // tests: readable differences
	github.com/klauspost/compress v1.20.4 // triage: logs packed with zstd
	github.com/rogpeppe/go-internal v1.16.0 // tests: scripts over the real command line
	github.com/spf13/cobra v1.10.2 // command line: flags, help, completion
	go.yaml.in/yaml/v3 v3.0.6 // CDI specifications, prose records of the knowledge base; strict decoding
	golang.org/x/sys v0.50.0 // openat2: confine a path to the root in one system call
	golang.org/x/term v0.48.0 // whether the output is a terminal, and how wide
	golang.org/x/tools v0.52.0 // txtar, the format of machines in a file
	pgregory.net/rapid v1.3.0 // tests: properties of order relations
)

require (
	github.com/aquasecurity/go-version v0.0.1 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/xerrors v0.0.0-20231012003039-104605ab7028 // indirect
)
