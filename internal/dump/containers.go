package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// containers reads command lines, files and answers of container engines and
// of NVIDIA's container toolkit.
var containers = reader{name: "containers", read: readContainers, messages: true, around: 1, form: mayBeContainer, words: []string{
	"docker ", "podman ", "nerdctl ", "crictl ", "ctr ", "docker://", "Downloaded newer image for", "Image is up to date for", "ARG ",
	"Client:", "Engine:", "Docker Engine", "containerd:", "runc:", "Version:",
	"NVIDIA Container ", "nvidia-container-", "nvidia-ctk", "cli-version:", "lib-version:", "initializing library context (version=", "cdiVersion",
}}

// mayBeContainer tells quickly whether a line can be the base of a Dockerfile's stage, an image's key, or a part of a
// command that goes on in the next line.
func mayBeContainer(l *transcript.Line) bool {
	line := l.Message
	if strings.HasSuffix(line, `\`) || strings.HasPrefix(line, "FROM ") || strings.HasPrefix(line, "from ") {
		return true
	}
	for line != "" && (line[0] == '-' || line[0] == '"' || line[0] == '\'' || line[0] == ' ' || '\t' <= line[0] && line[0] <= '\r') {
		line = line[1:]
	}
	return strings.HasPrefix(line, "image") || strings.HasPrefix(line, "Image") || strings.HasPrefix(line, "Container image")
}

var (
	runCommand = lazyregexp.New(`\b(?:docker|podman|nerdctl|nvidia-docker) (?:container )?(?:run|create)\b(.*)$`)
	pullImage  = lazyregexp.New(`\b(?:docker|podman|nerdctl|crictl) pull (\S+)|Status: (?:Downloaded newer image for|Image is up to date for) (\S+)|ctr (?:-\S+ \S+ )?(?:run|images? pull) .*?((?:docker\.io|nvcr\.io)/\S+)`)
	singular   = lazyregexp.New(`\b(?:singularity|apptainer) (?:exec|run|shell|pull)\b.*docker://(\S+)`)
	fromLine   = lazyregexp.New(`^(?:FROM|from) (?:--platform=\S+ )?(\S+)(?: [Aa][Ss] (\S+))?\s*$`)
	argLine    = lazyregexp.New(`^ARG (\w+)=["']?([^"'\s]+)`)
	imageKey   = lazyregexp.New(`^\s*-?\s*["']?(?:[Ii]mage|Image ID|Container image)["']?\s*:\s*["']?([a-z0-9][^\s"',]*[:/@][^\s"',]+)`)
	dockerOne  = lazyregexp.New(`\bDocker version (\d+\.\d+\.\d+[^\s,]*)`)
	// docker version: "Client:", then " Engine:" and the parts, each with its "Version:"
	enginePart = lazyregexp.New(`^\s*(Client|Engine|containerd|runc)(?:: Docker Engine.*|:)$`)
	partHas    = lazyregexp.New(`^\s*Version:\s+v?(\d+\.\d+\.\d+\S*)`)
	dockerInfo = lazyregexp.New(`^\s*Server Version:\s*(\d+\.\d+\.\d+\S*)`)
	toolkitOne = lazyregexp.New(`(?:NVIDIA Container (?:Toolkit CLI|Runtime Hook|Runtime)|nvidia-container-toolkit|nvidia-container-runtime(?:-hook)?|nvidia-ctk)(?: -)? version:? (\d+\.\d+\.\d+\S*)`)
	cliVersion = lazyregexp.New(`^\s*(cli-version|lib-version): (\d+\.\d+\.\d+\S*)`)
	nvcVersion = lazyregexp.New(`initializing library context \(version=(\d+\.\d+\.\d+[^,)]*)`)
	cdiVersion = lazyregexp.New(`^\s*"?cdiVersion"?: `)
	tagVar     = lazyregexp.New(`\$\{?(\w+)\}?`)
	runOptions = map[string]bool{
		"-e": true, "-v": true, "-p": true, "--env": true, "--volume": true, "--name": true, "--gpus": true, "--runtime": true, "--network": true, "--net": true,
		"--shm-size": true, "--ipc": true, "-w": true, "--workdir": true, "--mount": true, "--device": true, "--entrypoint": true, "-u": true, "--user": true, "--ulimit": true,
		"--publish": true, "--restart": true, "--env-file": true, "--memory": true, "-m": true, "--cpus": true, "--hostname": true, "-h": true, "--add-host": true, "--pid": true,
		"--cap-add": true, "--security-opt": true, "--platform": true, "-l": true, "--label": true, "--group-add": true, "--log-driver": true, "--pull": true, "--userns": true,
		"--cgroupns": true, "--device-cgroup-rule": true, "--volumes-from": true, "--cpuset-cpus": true, "--uts": true, "--log-opt": true, "--hooks-dir": true, "--annotation": true,
	}
)

var engineName = map[string]string{"Client": "docker", "Engine": "docker", "containerd": "containerd", "runc": "runc"}

func readContainers(t *transcript.Text, f *Facts) {
	args, stages := map[string]string{}, map[string]string{}
	part := ""
	var base claim // of the last stage of a Dockerfile, which is the one that runs
	for i := 0; i < len(t.Lines); i++ {
		l := t.Lines[i]
		line := l.Text
		if len(line) < 5 || len(line) > 4000 {
			continue
		}
		switch {
		case strings.HasPrefix(line, "ARG "):
			if m := argLine.FindStringSubmatch(line); m != nil {
				args[m[1]] = m[2]
			}
			continue
		case strings.HasPrefix(line, "FROM ") || strings.HasPrefix(line, "from "):
			if m := fromLine.FindStringSubmatch(line); m != nil {
				name := tagVar.ReplaceAllStringFunc(m[1], func(s string) string {
					if v, ok := args[strings.Trim(s, "${}")]; ok {
						return v
					}
					return s
				})
				if before, ok := stages[name]; ok {
					name = before
				}
				if imageName(name) != "" && (strings.ContainsAny(name, ":/") || m[2] != "") {
					base = claim{name, l}
				}
				if m[2] != "" {
					stages[m[2]] = name
				}
			}
			continue
		case strings.Contains(line, " run") || strings.Contains(line, " create"):
			if m := runCommand.FindStringSubmatch(line); m != nil {
				words, last := m[1], m[1]
				for i+1 < len(t.Lines) && strings.HasSuffix(strings.TrimSpace(last), `\`) {
					i++
					last = t.Lines[i].Text
					words = strings.TrimSuffix(strings.TrimSpace(words), `\`) + " " + last
				}
				readRun(f, words, l)
				continue
			}
		}
		if strings.Contains(line, "mage") {
			if m := imageKey.FindStringSubmatch(line); m != nil {
				f.image(m[1], Keyed, f.At(l.N, line))
			}
		}
		if strings.Contains(line, "pull") || strings.Contains(line, "image ") || strings.Contains(line, "mage is up") || strings.Contains(line, "ctr ") {
			if m := pullImage.FindStringSubmatch(line); m != nil {
				f.image(m[1]+m[2]+m[3], Keyed, f.At(l.N, line))
			}
		}
		if strings.Contains(line, "docker://") {
			if m := singular.FindStringSubmatch(line); m != nil {
				f.image(m[1], Keyed, f.At(l.N, line))
				f.note(&f.rec.Container, "singularity", Keyed, l)
			}
		}
		if strings.HasSuffix(line, ":") || strings.Contains(line, "Docker Engine") {
			if m := enginePart.FindStringSubmatch(line); m != nil {
				part = m[1]
			}
		} else if part != "" {
			if m := partHas.FindStringSubmatch(line); m != nil {
				f.Format("docker version", l.N)
				f.Package(Package{Name: engineName[part], Version: m[1], From: f.At(l.N, line)}, Keyed)
				part = ""
			}
		}
		readToolkit(f, l)
	}
	if base.known() {
		f.Format("Dockerfile", base.line.N)
		f.image(base.text, Stated, f.At(base.line.N, base.line.Text))
		f.note(&f.rec.Container, "docker", Keyed, base.line)
	}
}

// readToolkit reads what the engines and the container toolkit say of themselves.
func readToolkit(f *Facts, l transcript.Line) {
	line := l.Text
	if !strings.Contains(line, "ersion") {
		return
	}
	name, v, format := "", "", ""
	if m := dockerOne.FindStringSubmatch(line); m != nil {
		name, v, format = "docker", m[1], "docker version"
	} else if m := dockerInfo.FindStringSubmatch(line); m != nil {
		name, v, format = "docker", m[1], "docker info"
	} else if m := toolkitOne.FindStringSubmatch(line); m != nil {
		name, v, format = "nvidia-container-toolkit", m[1], "nvidia-ctk"
	} else if m := cliVersion.FindStringSubmatch(line); m != nil {
		name, v, format = map[string]string{"cli-version": "libnvidia-container-tools", "lib-version": "libnvidia-container1"}[m[1]], m[2], "nvidia-container-cli"
	} else if m := nvcVersion.FindStringSubmatch(line); m != nil {
		name, v, format = "libnvidia-container1", m[1], "nvidia-container-cli"
	} else if cdiVersion.MatchString(line) {
		f.Format("CDI", l.N)
		return
	}
	if name != "" {
		f.Format(format, l.N)
		f.Package(Package{Name: name, Version: strings.TrimRight(v, ",;"), From: f.At(l.N, line)}, Stated)
	}
}

// readRun finds the image in the words behind "docker run": the first that is
// neither an option nor an option's value.
func readRun(f *Facts, words string, l transcript.Line) {
	list := strings.Fields(words)
	for i := 0; i < len(list); i++ {
		w := list[i]
		if strings.HasPrefix(w, "-") {
			if runOptions[w] {
				i++
				for i < len(list) && unclosed(list[i]) {
					i++
				}
			}
			continue
		}
		from := f.At(l.N, l.Text)
		f.image(w, Stated, from)
		if imageName(w) != "" {
			f.Format("docker run", l.N) // that the rest comes from inside is not said
		}
		return
	}
}

// unclosed tells whether a word begins a quoted value that goes on in the next one: '"device=0, 1"'.
func unclosed(w string) bool {
	return strings.Count(w, `"`)%2 == 1 || strings.Count(w, `'`)%2 == 1
}
