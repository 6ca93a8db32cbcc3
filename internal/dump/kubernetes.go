package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// kubernetesFacts reads the labels of nodes in every form that kubectl prints
// (YAML, JSON, describe, --show-labels), a node's system information, and the
// words that only a cluster has.
var kubernetesFacts = reader{name: "Kubernetes", read: readKubernetes, messages: true, whole: true, words: []string{
	"kube", "nvidia.com/", "kind:", `kind"`, "nodes are", "Sandbox", "Container Runtime Version", "runtimeVersion", "OS Image", "osImage", "Kernel Version", "kernelVersion", "OS-IMAGE",
	"gpu-operator-", "-device-plugin-", "dcgm-exporter-", "gpu-feature-discovery-", "network-operator-",
}}

var (
	nodeLabel  = lazyregexp.New(`((?:nvidia\.com|feature\.node\.kubernetes\.io)/[A-Za-z0-9._-]+)["']?\s*[:=]\s*["']?([^\s"',]*)`)
	kubelet    = lazyregexp.New(`^\s*"?(?:Kubelet Version|kubeletVersion)"?:\s+"?(v\d+\.\d+\.\d+\S*?)"?,?$`)
	engine     = lazyregexp.New(`^\s*"?(?:Container Runtime Version|containerRuntimeVersion)"?:\s+"?(containerd|docker|cri-o)://(\d+\.\d+\.\d+[^\s"]*)`)
	nodeOS     = lazyregexp.New(`^\s*"?(?:OS Image|osImage)"?:\s+"?([^"]+?)"?,?$`)
	nodeKernel = lazyregexp.New(`^\s*"?(?:Kernel Version|kernelVersion)"?:\s+"?(\d+\.\d+\.\d+[^\s",]*)"?,?$`)
	wideHeader = lazyregexp.New(`^NAME\s+STATUS\s+ROLES\s+.*OS-IMAGE\s+KERNEL-VERSION`)
	chart      = lazyregexp.New(`\b(gpu-operator|nvidia-device-plugin|dcgm-exporter|gpu-feature-discovery|network-operator)-(v?\d+\.\d+\.\d+)\b`)
	clusterish = lazyregexp.New(`\bkubectl\b|^\s*"?kind"?: "?(?:Pod|Deployment|Node|DaemonSet|Job|StatefulSet|ClusterPolicy)\b|nvidia\.com/gpu\b|0/\d+ nodes are available|FailedCreatePodSandBox|\bkubelet\b`)
)

// node is what the labels of one node say.
type node struct{ labels map[string]claim }

func readKubernetes(t *transcript.Text, f *Facts) {
	n := node{labels: map[string]claim{}}
	for i, l := range t.Lines {
		line := l.Text
		if len(line) < 6 || len(line) > 60000 {
			continue
		}
		if !f.rec.Kubernetes.Known() && (strings.Contains(line, "kube") || strings.Contains(line, "nvidia.com/gpu") || strings.Contains(line, "kind") || strings.Contains(line, "nodes are") ||
			strings.Contains(line, "Sandbox")) && clusterish.MatchString(line) {
			f.note(&f.rec.Kubernetes, "yes", Keyed, l)
		}
		if strings.Contains(line, "nvidia.com/") || strings.Contains(line, "node.kubernetes.io/") {
			for _, m := range nodeLabel.FindAllStringSubmatch(line, 600) {
				if _, again := n.labels[m[1]]; again && m[1] == "nvidia.com/gpu.product" {
					n.give(f)
					n = node{labels: map[string]claim{}}
				}
				if m[2] != "" {
					n.labels[m[1]] = claim{m[2], l}
				}
			}
		}
		switch {
		case strings.Contains(line, "ersion") || strings.Contains(line, "mage"):
			if m := kubelet.FindStringSubmatch(line); m != nil {
				f.Format("kubectl describe node", l.N)
				f.Package(Package{Name: "kubernetes", Version: m[1], From: f.At(l.N, line)}, Stated)
			} else if m := engine.FindStringSubmatch(line); m != nil {
				f.Package(Package{Name: m[1], Version: m[2], From: f.At(l.N, line)}, Stated)
			} else if m := nodeOS.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.OS, m[1], Stated, l)
			} else if m := nodeKernel.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Kernel, m[1], Stated, l)
			}
		case strings.HasPrefix(line, "NAME") && i+1 < len(t.Lines) && wideHeader.MatchString(line):
			readWide(f, line, t.Lines[i+1])
		}
		if strings.Contains(line, "operator-v") || strings.Contains(line, "-plugin-") || strings.Contains(line, "exporter-") || strings.Contains(line, "discovery-") {
			if m := chart.FindStringSubmatch(line); m != nil {
				f.Package(Package{Name: m[1], Version: m[2], Manager: "helm", From: f.At(l.N, line)}, Stated)
			}
		}
	}
	n.give(f)
}

// give hands over what a node's labels say.
func (n *node) give(f *Facts) {
	if len(n.labels) == 0 {
		return
	}
	get := func(keys ...string) claim {
		for _, k := range keys {
			if c := n.labels[k]; c.known() {
				return c
			}
		}
		return claim{}
	}
	join := func(keys ...string) claim {
		out := claim{}
		for _, k := range keys {
			c := n.labels[k]
			if !c.known() {
				break
			}
			if out.known() {
				c.text = out.text + "." + c.text
			}
			out = c
		}
		return out
	}
	const own, feature = "nvidia.com/", "feature.node.kubernetes.io/"
	driver := get(own + "cuda.driver-version.full")
	if !driver.known() {
		driver = join(own+"cuda.driver.major", own+"cuda.driver.minor", own+"cuda.driver.rev")
	}
	if strings.Contains(driver.text, ".") {
		f.Format("Kubernetes node labels", driver.line.N)
		f.take(&f.rec.Driver, driver, Stated)
	}
	// The label's runtime is what the driver can run, as NVML gives it.
	cuda := get(own + "cuda.runtime-version.full")
	if !cuda.known() {
		cuda = join(own+"cuda.runtime.major", own+"cuda.runtime.minor")
	}
	if strings.Contains(cuda.text, ".") {
		f.take(&f.rec.DriverCUDA, cuda, Stated)
	}
	f.take(&f.rec.Kernel, get(feature+"kernel-version.full"), Stated)
	if id, v := get(feature+"system-os_release.ID"), get(feature+"system-os_release.VERSION_ID"); id.known() && v.known() {
		if name := ofSystem[id.text]; name != "" {
			id.text = name
		}
		f.note(&f.rec.OS, id.text+" "+v.text, Keyed, v.line)
	}
	product := get(own + "gpu.product")
	if !product.known() {
		return
	}
	g := GPU{Name: product.text, From: f.At(product.line.N, product.line.Text), ComputeCapability: capabilityOf(join(own+"gpu.compute.major", own+"gpu.compute.minor").text), MemoryMiB: atoi(get(own + "gpu.memory").text)}
	var list []GPU
	for range max(1, min(atoi(get(own+"gpu.count").text), maxGPUs)) {
		list = append(list, g)
	}
	f.GPUs(list, Stated)
}

// readWide reads the first node of "kubectl get nodes -o wide", by its columns.
func readWide(f *Facts, header string, l transcript.Line) {
	column := func(name, next string) string {
		from, to := strings.Index(header, name), len(l.Text)
		if i := strings.Index(header, next); next != "" && i > from {
			to = min(i, to)
		}
		if from < 0 || from >= to {
			return ""
		}
		return strings.TrimSpace(l.Text[from:to])
	}
	from := f.At(l.N, l.Text)
	f.Set(&f.rec.OS, column("OS-IMAGE", "KERNEL-VERSION"), Stated, from)
	f.Set(&f.rec.Kernel, kernelOf(column("KERNEL-VERSION", "CONTAINER-RUNTIME")), Stated, from)
	if name, v, ok := strings.Cut(column("CONTAINER-RUNTIME", ""), "://"); ok {
		f.Package(Package{Name: name, Version: v, From: from}, Stated)
	}
}
