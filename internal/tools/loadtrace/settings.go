package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"strata/internal/elfx/elftest"
	"strata/internal/machine"
)

// setting is one LD_LIBRARY_PATH.
type setting struct {
	name string
	path string
	make func() error // lays out what is not in the root, below its own /tmp
	from string       // the root that it borrows from, if any
}

// settings are those that a root is looked at with:
//
//	none   the variable is not set
//	own    the directories of NVIDIA's wheels in the root itself, as guides tell people to set
//	other  those of another root, with other releases: an older toolkit in front
//	cudnn  another release of cuDNN alone
//	stub   a libcuda without functions, as in the stubs directory of a toolkit
//	empty  files of no bytes under the names of cuBLASLt, cuDNN and the CUDA runtime
func settings(m *machine.Machine, root string) []setting {
	own, _ := m.Glob(site + "/nvidia/*/lib")
	donor := "jax-cuda12-ok"
	if m.Exists(site + "/nvidia_cublas_cu12-12.5.3.2.dist-info") {
		donor = "torch-cu12-ok"
	}
	list := []setting{{name: "none"}}
	if len(own) > 0 {
		list = append(list, setting{name: "own", path: strings.Join(own, ":")})
	}
	list = append(list,
		borrowed("other", root, donor, site+"/nvidia/*/lib"),
		borrowed("cudnn", root, map[bool]string{true: "ort-cu12-cudnn8-local", false: "tf-cudnn-shadowed"}[donor == "jax-cuda12-ok"], "/opt/cudnn*/lib"),
		setting{name: "stub", path: "/tmp/stub", make: func() error {
			return write(root, "/tmp/stub", "libcuda.so.1", elftest.Build(elftest.Spec{Soname: "libcuda.so.1"}))
		}},
		setting{name: "empty", path: "/tmp/empty", make: func() error {
			for _, name := range []string{"libcublasLt.so.12", "libcublasLt.so.13", "libcudnn.so.9", "libcudart.so.12", "libcudart.so.13"} {
				if err := write(root, "/tmp/empty", name, nil); err != nil {
					return err
				}
			}
			return nil
		}},
	)
	return list
}

func write(root, dir, name string, data []byte) error {
	if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, dir, name), data, 0o644)
}

// borrowed shows directories of another root below /tmp of this one.
func borrowed(name, root, donor, pattern string) setting {
	s := setting{name: name, from: donor}
	from := filepath.Join(filepath.Dir(root), donor)
	found, _ := filepath.Glob(filepath.Join(from, pattern))
	var dirs []string
	for _, f := range found {
		dirs = append(dirs, fmt.Sprintf("/tmp/%s/%s", name, path.Base(path.Dir(f))))
	}
	s.path = strings.Join(dirs, ":")
	s.make = func() error {
		if len(found) == 0 {
			return fmt.Errorf("root %s has no %s", donor, pattern)
		}
		for i, f := range found {
			if err := show(f, filepath.Join(root, dirs[i])); err != nil {
				return err
			}
		}
		return nil
	}
	return s
}

// show mounts a directory at a place below a furnished root's /tmp.
func show(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mounting %q on %q: %w", from, to, err)
	}
	return nil
}
