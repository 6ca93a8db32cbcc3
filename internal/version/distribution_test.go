package version

import "testing"

func TestNormalName(t *testing.T) {
	for give, want := range map[string]string{
		"torch": "torch", "Flask_SQLAlchemy": "flask-sqlalchemy", "a.-_b": "a-b", "ruamel.yaml.clib": "ruamel-yaml-clib", "X__": "x-", "": "",
	} {
		if got := NormalName(give); got != want {
			t.Errorf("NormalName(%q) = %q, want %q", give, got, want)
		}
	}
}
