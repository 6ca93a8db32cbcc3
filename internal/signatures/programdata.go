package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// programData is what fails for a program's disk, files and numbers.
func programData() []*Signature {
	return []*Signature{
		{
			ID: "no-space-left", Product: "operating system",
			Literals: []string{"No space left on device", "Disk quota exceeded", "not enough free disk space", "no space left on device"},
			Pattern:  `(?i:No space left on device|Disk quota exceeded|not enough free disk space)`,
			Layer:    rule.Application,
			Meaning:  "A file system is full.",
			Causes: causes(Cause{
				When:     on(Says("/dev/shm", "</torch_", "shm_open", "shared memory segment", "--shm-size")),
				Title:    "Shared memory (/dev/shm) is full: a container has 64 MB unless told otherwise",
				Text:     "Data loader workers and NCCL exchange data through /dev/shm (shm). Not the GPU's stack.",
				Remedies: []Remedy{fix("start the container with --ipc=host or --shm-size=8g (Kubernetes: an emptyDir with medium Memory at /dev/shm)", "docker", "docker run --gpus all --shm-size=8g IMAGE", "check", "df -h /dev/shm")},
			}, Cause{
				Title:    "The disk is full: no space left on device",
				Text:     "Models, wheels and images take tens of gigabytes; pip uses TMPDIR, Hugging Face HF_HOME (~/.cache/huggingface), Docker /var/lib/docker. Not the GPU's stack.",
				Remedies: []Remedy{fix("free disk space, or point the storage elsewhere: HF_HOME for models, TMPDIR and --no-cache-dir for pip", "check", "df -h; du -sh ~/.cache/*; docker system df")},
			}),
			Samples: []string{"OSError: [Errno 28] No space left on device", "UserWarning: Not enough free disk space to download the file."},
			Misses:  []string{"there is no space left in this line"},
			Source:  "https://github.com/huggingface/huggingface_hub/blob/main/src/huggingface_hub/file_download.py",
		},
		{
			ID: "nan-loss", Product: "pytorch",
			Literals: []string{"contains either `inf`, `nan`", "Loss is nan", "NaN or Inf found", "A tensor with all NaNs was produced", "Function 'MulBackward0' returned nan", "returned nan values in its", "Gradient overflow", "loss is nan"},
			Pattern:  "(?i:probability tensor contains either `inf`, `nan`|Loss is nan|NaN or Inf found in input|A tensor with all NaNs was produced|returned nan values in its)",
			Layer:    rule.Application,
			Meaning:  "A computation gave nan or inf.",
			Causes: causes(Cause{
				Title:    "The computation gave nan: overflow in half precision, a learning rate too high, or bad data",
				Text:     "Some GPUs of the GTX 16 series give nan in float16. Not the stack's installation.",
				Remedies: []Remedy{fix("use bfloat16 or float32 (--no-half, --no-half-vae), a lower learning rate, gradient clipping; check the inputs for nan")},
			}),
			Samples: []string{"RuntimeError: probability tensor contains either `inf`, `nan` or element < 0", "modules.devices.NansException: A tensor with all NaNs was produced in Unet."},
			Misses:  []string{"no nan here"},
			Source:  "https://pytorch.org/docs/stable/notes/amp_examples.html",
		},
	}
}
