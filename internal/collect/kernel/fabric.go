package kernel

import (
	"errors"
	"io/fs"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	fabricProgram = "/usr/bin/nv-fabricmanager"
	// fabricComm is how /proc/PID/comm shows it: the kernel keeps 15 bytes
	// (TASK_COMM_LEN, include/linux/sched.h).
	fabricComm = "nv-fabricmanage"
	// maxProcesses bounds the walk; kernel.pid_max of a busy node is far above
	// what runs there.
	maxProcesses = 50_000
)

// readFabricManager finds the service. Processes are only looked through where
// it is installed or NVSwitch has device nodes: elsewhere it cannot matter.
func readFabricManager(m *machine.Machine) stack.Fact[stack.FabricManager] {
	_, err := m.Stat(fabricProgram)
	switch {
	case err == nil:
		return stack.Know(stack.FabricManager{Path: fabricProgram, Running: fabricRunning(m)}, stack.File(fabricProgram))
	case !errors.Is(err, fs.ErrNotExist):
		return stack.Miss[stack.FabricManager](err, fabricProgram)
	case m.Exists("/dev/nvidia-nvswitchctl"):
		// With the GPU operator it runs from a container, and only its process shows.
		if r := fabricRunning(m); r.Or(false) {
			return stack.Know(stack.FabricManager{Running: r}, r.Sources...)
		}
	}
	return stack.None[stack.FabricManager](stack.File(fabricProgram))
}

func fabricRunning(m *machine.Machine) stack.Fact[bool] {
	const dir = "/proc"
	entries, err := m.ReadDir(dir)
	if err != nil {
		return miss[bool](m, err, dir)
	}
	seen := 0
	for _, e := range entries {
		if e.Name()[0] < '1' || e.Name()[0] > '9' {
			continue
		}
		if seen++; seen > maxProcesses {
			return stack.Broken[bool]("too many processes to look through", stack.Source{Kind: "directory", Locator: dir})
		}
		name := dir + "/" + e.Name() + "/comm"
		data, err := m.ReadFile(name, 256)
		if err == nil && strings.TrimSpace(string(data)) == fabricComm {
			return stack.Know(true, stack.Line(name, 1, string(data)))
		}
	}
	switch {
	case seen == 0:
		return stack.Fact[bool]{} // an image root: nothing runs
	case !m.Exists("/proc/1/comm"):
		return stack.Refused[bool]("the processes of other users are hidden (hidepid)", "run as root",
			stack.Source{Kind: "directory", Locator: dir})
	}
	return stack.Know(false, stack.Source{Kind: "directory", Locator: dir, Text: "no process " + fabricComm})
}
