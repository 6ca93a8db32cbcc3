package transcript

import "testing"

func TestMessage(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"2024-03-01 10:00:00,123 - trainer - INFO - PyTorch version: 2.1.2", "PyTorch version: 2.1.2"},
		{"2024-03-01 10:00:00.126 | INFO     | trainer.main:42 - cuDNN version: 8902", "cuDNN version: 8902"},
		{"2024-03-01 10:00:00,126 | INFO | trainer.main:42 | cuDNN version: 8902", "cuDNN version: 8902"},
		{"[2024-05-12 10:00:00.123] [ctranslate2] [thread 10] [info] GPU #0: NVIDIA T4", "GPU #0: NVIDIA T4"},
		{"I0830 06:50:37.438787 3850 nvc.c:376] initializing library context", "initializing library context"},
		{"[   12.345678] NVRM: GPU at PCI:0000:01:00", "NVRM: GPU at PCI:0000:01:00"},
		{"Feb 04 13:15:38 box kernel: NVRM: API mismatch", "NVRM: API mismatch"},
		{"[2024:02:28:18:46:13]: Info: Device Video Mem: 3935 MiB", "Device Video Mem: 3935 MiB"},
		// No logger stood before these.
		{"[pip3] torch==2.1.0", "[pip3] torch==2.1.0"},
		{"[0] NVIDIA A100-SXM4-80GB | 33 C", "[0] NVIDIA A100-SXM4-80GB | 33 C"},
		{"- Python version: 3.10", "- Python version: 3.10"},
		{"| torch | 2.1.0 |", "| torch | 2.1.0 |"},
		{"0000:01:00.0 Off", "0000:01:00.0 Off"},
		{"00000000:02:00.0, 1, Tesla T4", "00000000:02:00.0, 1, Tesla T4"},
		{"2.1.0 - INFO - kept", "2.1.0 - INFO - kept"},
		{"2024-03-01 10:00:00 - torch - 2.1.0", "- torch - 2.1.0"},
	} {
		if got := Message(c.line); got != c.want {
			t.Errorf("Message(%q) = %q, want %q", c.line, got, c.want)
		}
	}
}
