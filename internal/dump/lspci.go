package dump

import (
	"strconv"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// devicesOfBus reads the lists of PCI devices: lspci in all its forms, lshw,
// inxi. The name in brackets is the product's, the one before it the chip's.
var devicesOfBus = reader{name: "lspci", read: readBus, around: lshwLines, words: []string{
	"VGA compatible controller", "3D controller", "Display controller", "product:", "display ", "Device-", "Card:", "Card-", "driver: nvidia", "Kernel: ", "Distro: ",
}}

// lshwLines is how far from a device's product its class and vendor stand.
const lshwLines = 3

var (
	// 01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GP102 [GeForce GTX 1080 Ti] [10de:1b06] (rev a1)
	lspciLine = lazyregexp.New(`(?:^|\s)((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F])\s+"?(?:VGA compatible controller|3D controller|Display controller)[^:]*:\s*NVIDIA Corporation\s+(.*)$`)
	product   = lazyregexp.New(`\[([^\]]*[A-Za-z][^\]]*)\]`)
	pciID     = lazyregexp.New(`\[?10de:[0-9a-f]{4}\]?`)
	// lshw: product: GA104 [GeForce RTX 3070]
	lshwProduct = lazyregexp.New(`(?:^|\s)product:\s+(\S.*)$`)
	lshwShort   = lazyregexp.New(`^\S*\s+(?:\S+\s+)?display\s+(\S.*\[.*\].*)$`)
	inxiDevice  = lazyregexp.New(`(?:Device-\d+|Card(?:-\d+)?):\s+NVIDIA\s+(.*?)\s*(?:vendor:|driver:|bus-ID:|$)`)
	inxiDriver  = lazyregexp.New(`\bdriver:\s+nvidia\s+v:\s+(\d{3}\.[\d.]+\d)`)
	inxiKernel  = lazyregexp.New(`\bKernel:\s+(\d+\.\d+\.\d+\S*)`)
	inxiDistro  = lazyregexp.New(`\bDistro:\s+(.*?)\s*(?:base:|$)`)
)

func readBus(t *transcript.Text, f *Facts) {
	var bus, hardware, inxi []GPU
	seen := map[string]bool{} // by address: -nn, -v and -k list a device again
	for i, l := range t.Lines {
		line := l.Text
		switch {
		case strings.Contains(line, "controller") && containsFold(line, "nvidia"):
			m := lspciLine.FindStringSubmatch(strings.Replace(line, "nVidia", "NVIDIA", 1))
			if m == nil {
				break
			}
			f.Format("lspci", l.N)
			address := m[1]
			if name := productName(m[2]); name != "" && !seen[address] && len(bus) < maxGPUs {
				bus = append(bus, GPU{Name: name, From: f.At(l.N, line)})
				seen[address] = true
			}
		case strings.Contains(line, "product:"):
			m := lshwProduct.FindStringSubmatch(line)
			if m != nil && displayOfNVIDIA(t.Lines, i) && productName(m[1]) != "" && len(hardware) < maxGPUs {
				f.Format("lshw", l.N)
				hardware = append(hardware, GPU{Name: productName(m[1]), From: f.At(l.N, line)})
			}
		case strings.Contains(line, "display "):
			if m := lshwShort.FindStringSubmatch(line); m != nil && modelForm.MatchString(m[1]) && productName(m[1]) != "" {
				hardware = append(hardware, GPU{Name: productName(m[1]), From: f.At(l.N, line)})
			}
		}
		if strings.Contains(line, "Device-") || strings.Contains(line, "Card") {
			if m := inxiDevice.FindStringSubmatch(line); m != nil && productName(m[1]) != "" && len(inxi) < maxGPUs {
				f.Format("inxi", l.N)
				inxi = append(inxi, GPU{Name: productName(m[1]), From: f.At(l.N, line)})
			}
		}
		if strings.Contains(line, "driver: nvidia") {
			if m := inxiDriver.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Driver, driverOf(m[1]), Stated, l)
			}
		}
		if strings.Contains(line, "Kernel: ") {
			if m := inxiKernel.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Kernel, m[1], Stated, l)
			}
		}
		if strings.Contains(line, "Distro: ") {
			if m := inxiDistro.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.OS, m[1], Stated, l)
			}
		}
	}
	f.GPUs(bus, Keyed)
	f.GPUs(hardware, Keyed)
	f.GPUs(inxi, Keyed)
}

// productName is the product of a device's description; a chip alone, or a
// device that the list of names did not have, is no product.
func productName(s string) string {
	s = pciID.ReplaceAllString(s, "")
	if m := product.FindStringSubmatch(s); m != nil {
		return strings.TrimSpace(m[1])
	}
	s, _, _ = strings.Cut(s, " (rev")
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "Device") || !modelForm.MatchString(s) || strings.Contains(s, "Audio") {
		return ""
	}
	return s
}

// displayOfNVIDIA tells whether the block of lshw around a line is a display of NVIDIA's.
func displayOfNVIDIA(lines []transcript.Line, i int) bool {
	display, vendor := false, false
	for j := max(0, i-lshwLines); j < min(len(lines), i+lshwLines); j++ {
		s := lines[j].Text
		display = display || strings.Contains(s, "*-display") || strings.Contains(s, "3D controller") || strings.Contains(s, "VGA compatible") || strings.Contains(s, "Display controller")
		vendor = vendor || strings.Contains(s, "vendor: NVIDIA")
	}
	return display && vendor
}

func containsFold(s, lower string) bool { return strings.Contains(lowerASCII(s), lower) }

// mebibytes reads a number with its unit as MiB; 0 where it has another form.
func mebibytes(number, unit string) int {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	switch lowerASCII(unit) {
	case "kb", "kbytes", "kib":
		n /= 1024
	case "gb", "gib":
		n *= 1024
	}
	return int(n)
}
