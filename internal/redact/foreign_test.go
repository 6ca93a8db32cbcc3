package redact

import (
	"strings"
	"testing"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"/home/alice/.local/lib/python3.10/site-packages/torch", "/home/USER/.local/lib/python3.10/site-packages/torch"},
		{`C:\Users\Bob Smith\venv\Lib`, `C:\Users\USER\venv\Lib`},
		{"/Users/carol/x.py:12", "/Users/USER/x.py:12"},
		{"dave@gpu-box:~$ nvidia-smi", "USER@HOST:~$ nvidia-smi"},
		{"[erin@node01 ~]$ nvcc", "[USER@HOST ~]$ nvcc"},
		{"mail frank@example.org now", "mail USER@HOST now"},
		{"Feb 04 13:15:38 worker-7 containerd[1278]: failed", "Feb 04 13:15:38 HOST containerd[1278]: failed"},
		{"hostname: trainer.lab", "hostname: HOST"},
		{"connect to 192.168.4.17:29500 failed", "connect to ADDRESS:29500 failed"},
		{"listening on 127.0.0.1:8000", "listening on 127.0.0.1:8000"},
		{"nvidia-cublas-cu12 12.4.5.8 and nvidia-cufft-cu12 11.2.1.3", "nvidia-cublas-cu12 12.4.5.8 and nvidia-cufft-cu12 11.2.1.3"},
		{"nvidia-curand-cu12 10.3.5.147, cublas 10.2.1.243", "nvidia-curand-cu12 10.3.5.147, cublas 10.2.1.243"},
		{"from 10.42.0.7", "from ADDRESS"},
		{"GPU 0: Tesla T4 (UUID: GPU-3f1b2c3d-0000-1111-2222-333344445555)", "GPU 0: Tesla T4 (UUID: GPU-UUID)"},
		{"nvcr.io/nvidia/pytorch@sha256:abc", "nvcr.io/nvidia/pytorch@sha256:abc"},
		{"ip-10-1-2-3.eu-west-1.compute.internal NotReady", "HOST NotReady"},
		{"a@b.example@c.example", "USER@USER@HOST"},
		{"libcublas.so.12: cannot open", "libcublas.so.12: cannot open"},
		{"password: hunter2", "password: REDACTED"},
	} {
		if got := Foreign(c.in); got != c.want {
			t.Errorf("Foreign(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// FuzzForeign wants no control character left, no text without bound, no name of
// a user's folder, and that cleaning what is clean changes nothing.
func FuzzForeign(f *testing.F) {
	f.Add("dave@gpu-box:~$ ls /home/dave 10.42.0.7")
	f.Add("A@A.A@A.A")
	f.Fuzz(func(t *testing.T, in string) {
		out := Foreign(in + " /home/zaphod/x")
		for _, r := range out {
			if r < 0x20 || r == 0x7f {
				t.Fatalf("control character %q left in %q", r, out)
			}
		}
		if strings.Contains(out, "/home/zaphod") {
			t.Fatalf("a name is left in %q", out)
		}
		if again := Foreign(out); again != out {
			t.Fatalf("Foreign is not stable: %q gives %q gives %q", in, out, again)
		}
		if len(out) > 16*len(in)+200 {
			t.Fatalf("%d bytes became %d", len(in), len(out))
		}
	})
}
