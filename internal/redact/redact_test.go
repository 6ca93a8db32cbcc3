package redact

import "testing"

func TestLine(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain 535.129.03 /usr/lib/libcuda.so.1", "plain 535.129.03 /usr/lib/libcuda.so.1"},
		{"\x1b[31mred\x1b[0m\x07", "[31mred [0m"},
		{"a\u202etxt.exe", "a txt.exe"},
		{"bad \xff\xfe bytes", "bad \uFFFD bytes"},
		{"index https://bob:hunter2@example.org/simple", "index https://REDACTED@example.org/simple"},
		{"HF_TOKEN=hf_abcdefghijklmnop", "HF_TOKEN=REDACTED"},
		{`"password": "x y"`, `"password": REDACTED`},
		{`{"api_key":"k","n":1}`, `{"api_key":REDACTED,"n":1}`},
		{"passwd: hunter2", "passwd: REDACTED"},
		{"PATH=/opt/secret:/usr/local/cuda/bin", "PATH=/opt/secret:/usr/local/cuda/bin"},
		{"/data/hf_transformers_cache/lib:/srv/sk-models", "/data/hf_transformers_cache/lib:/srv/sk-models"},
		{"Authorization: Bearer abcdefghijkl.mnop", "Authorization: Bearer REDACTED"},
		{"using ghp_0123456789abcdef0123456789abcdef0123 here", "using REDACTED here"},
		{"the token count is 5", "the token count is 5"},
	} {
		if got := Line(c.in); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("token=abc \x1b[0m")
	f.Fuzz(func(t *testing.T, in string) {
		for _, r := range Line(in) {
			if r < 0x20 || r == 0x7f {
				t.Fatalf("control character %q left in %q", r, Line(in))
			}
		}
	})
}
