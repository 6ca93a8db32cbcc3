package container

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const toolkitConfig = "/etc/nvidia-container-runtime/config.toml"

var (
	// programs are the toolkit's, after the file lists of its packages
	// (nvidia-container-toolkit, nvidia-container-toolkit-base, libnvidia-container-tools).
	programs = []string{
		"nvidia-ctk", "nvidia-cdi-hook", "nvidia-container-cli", "nvidia-container-runtime",
		"nvidia-container-runtime.cdi", "nvidia-container-runtime.legacy", "nvidia-container-runtime-hook", "nvidia-container-toolkit",
	}
	// programDirs are the packages' place, a local build's, the GPU operator's
	// and GKE's, and the docker snap's.
	programDirs = []string{
		"/usr/bin", "/usr/local/bin", "/usr/local/nvidia/toolkit", "/home/kubernetes/bin",
		"/snap/docker/current/usr/bin", "/run/current-system/sw/bin",
	}
	// libraryDirs hold libnvidia-container.so, whose file name is the one place
	// on disk that tells the toolkit's version: both are released as one.
	libraryDirs = []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/nvidia/toolkit"}
)

// toolkit reads the NVIDIA container toolkit; it is Absent without a program
// or a configuration.
func toolkit(ctx context.Context, m *machine.Machine) (stack.Fact[stack.ContainerToolkit], []found) {
	var t stack.ContainerToolkit
	var sources []stack.Source
	for _, dir := range programDirs {
		if strings.HasPrefix(dir, "/home/") && !answers(ctx, m, "/home") {
			continue
		}
		for _, name := range programs {
			if p := path.Join(dir, name); m.Exists(p) {
				t.Programs = append(t.Programs, p)
				sources = append(sources, stack.File(p))
			}
		}
	}
	var hooks []found
	config, err := readTOML(m, toolkitConfig)
	if err == nil {
		hooks = configure(config, &t)
	}
	t.Fault = fault(err)
	if len(t.Programs) == 0 && errors.Is(err, fs.ErrNotExist) {
		// In a container the absence says nothing about the host that runs it,
		// but it is what was looked for here.
		return stack.None[stack.ContainerToolkit](stack.File("/usr/bin/nvidia-ctk"), stack.File(toolkitConfig)), nil
	}
	t.From = stack.File(toolkitConfig)
	if errors.Is(err, fs.ErrNotExist) {
		t.From = sources[0]
	}
	for _, dir := range libraryDirs {
		libs, _ := m.Glob(path.Join(dir, "libnvidia-container.so.*")) // a directory that cannot be listed leaves the version unknown
		for _, p := range libs {
			// libnvidia-container.so.1.17.4; the link libnvidia-container.so.1 tells nothing.
			if v := strings.TrimPrefix(path.Base(p), "libnvidia-container.so."); strings.Count(v, ".") == 2 && strings.Trim(v, "0123456789.") == "" {
				t.Version = v
				sources = append(sources, stack.File(p))
			}
		}
	}
	return stack.Know(t, append([]stack.Source{t.From}, sources...)...), hooks
}

// configure takes the settings of config.toml that decide how GPUs get into
// containers (toolkit documentation, "Container runtime configuration").
func configure(c tree, t *stack.ContainerToolkit) []found {
	runtime := c.at("nvidia-container-runtime")
	t.Mode = runtime.text("mode")
	t.NoCgroups = c.at("nvidia-container-cli").truth("no-cgroups")
	t.DisableRequire = c.truth("disable-require")
	switch mode := runtime.at("modes", "legacy").text("cuda-compat-mode"); {
	case c.at("features").truth("disable-cuda-compat-lib-hook"):
		return []found{{"disabled", stack.From("file", toolkitConfig, 0, "disable-cuda-compat-lib-hook = true")}}
	case mode != "":
		return []found{{mode, stack.From("file", toolkitConfig, 0, "cuda-compat-mode = "+mode)}}
	}
	return nil
}
