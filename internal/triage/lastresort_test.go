package triage

import (
	"slices"
	"testing"
)

// TestLastResort holds that a report in words that no signature knows gets a possible answer, and a text without
// trouble, or a log, gets none.
func TestLastResort(t *testing.T) {
	for _, c := range []struct {
		name, text string
		layer      string
	}{
		{"a desktop", "My second monitor shows colours that are wrong since I put the RTX 3060 in.\nThe desktop is GNOME on X11 with the nvidia driver that Debian brings, and everything else is fine.\n", "driver"},
		{"no trouble", "My second monitor shows nice colours since I put the RTX 3060 in.\nThe desktop is GNOME on X11 with the nvidia driver that Debian brings, and everything else is fine.\n", ""},
		{"a log", "2024-03-04 10:00:00 nvidia error counters were read\n2024-03-04 10:00:01 monitor desktop error counters were read, no Xid was there, all is well\n", ""},
		{"another subject", "The kettle does not boil any more since we moved into the new office, and nobody knows whom to ask for a replacement of it.\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Text(c.name, c.text, options())
			if err != nil {
				t.Fatal(err)
			}
			if string(doc.Verdict.Layer) != c.layer {
				t.Errorf("layer %q, want %q: %s", doc.Verdict.Layer, c.layer, doc.Verdict.Summary)
			}
			if c.layer != "" && doc.Verdict.Confidence != "possible" {
				t.Errorf("confidence %q, want possible", doc.Verdict.Confidence)
			}
		})
	}
}

// TestLastResortEvidence holds that a report in words of its own is shown with the lines that tell of trouble, a few
// of them, and that languages without spaces have lines, too.
func TestLastResortEvidence(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lines      []int
	}{
		{"two lines", "I put an RTX 3060 in, and the colours of the second monitor are wrong.\nThe desktop is GNOME on X11 with the nvidia driver of Debian.\nWith another cable the picture is still broken, as well.\n", []int{1, 3}},
		{"no spaces", "我在笔记本上装好了显卡驱动以后外接显示器一直是黑屏没有任何画面显示出来。\n显卡是RTX 3060，系统是Debian，桌面是GNOME，nvidia驱动是发行版自带的。\n", []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Text(c.name, c.text, options())
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, f := range doc.Findings {
				for _, e := range f.Evidence {
					got = append(got, e.Line)
				}
			}
			if !slices.Equal(got, c.lines) {
				t.Errorf("lines %v, want %v: %s", got, c.lines, doc.Verdict.Summary)
			}
		})
	}
}
