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
			Literals: []string{"No space left on device", "Disk quota exceeded", "not enough free disk space", "no space left on device", "out of disk space", "run out of disk", "ran out of disk", "disk is full", "not enough disk space", "insufficient disk space"},
			Pattern:  `(?i:No space left on device|Disk quota exceeded|not enough free disk space|(?:run|ran|runs|running)? ?out of disk|disk (?:\S+ )?is full|(?:not enough|insufficient) disk space)`,
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
			ID: "told-disk-space", Product: "operating system",
			Literals: []string{"enough space", "enough disk", "enough storage", "disk space", "free space", "storage space", "disk usage", "disk issue", "fills the disk", "fills up the disk"},
			Pattern:  `(?i)(?:(?:n't|not|no|never|without) (?:have )?(?:\w+ )?enough (?:\w+ )?(?:space|disk|storage))|(?:lacks?|little|low on|need more|needs more|insufficient) (?:\w+ )?(?:disk|storage) ?space|disk (?:space )?(?:issue|problem|error)|fills (?:up )?the disk`,
			Role:     Told, Layer: rule.Application,
			Where:   on(Not(Says("vram", "GPU memory"))),
			Meaning: "Somebody tells that a disk is too small for what is downloaded.",
			Causes: causes(Cause{
				When:     on(Says("download", "cache", "huggingface", "model", "pip ", "docker", "image", "checkpoint", "disk")),
				Title:    "The disk is too small for what the program downloads (models, wheels or images): not the GPU's stack",
				Text:     "Models take tens of gigabytes. Hugging Face keeps them under HF_HOME (~/.cache/huggingface), pip its wheels under ~/.cache/pip and TMPDIR, Docker its images under /var/lib/docker.",
				Remedies: []Remedy{fix("point the storage to a larger disk: HF_HOME for models, TMPDIR and --no-cache-dir for pip; or free space", "check", "df -h; du -sh ~/.cache/*; docker system df", "shell", "export HF_HOME=/path/on/a/larger/disk")},
			}),
			Samples: []string{"the model does not fit since I don't have enough space on the server", "disk issue while the checkpoint is downloaded"},
			Misses:  []string{"there is enough space", "the disk space is checked"},
			Source:  "https://github.com/iantbutler01/rwkv-raven-qlora-4bit-instruct/issues/1",
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
