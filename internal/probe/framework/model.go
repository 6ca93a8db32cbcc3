package framework

import (
	"encoding/binary"
	"math"
)

// The model for ONNX Runtime, in three parts that do not depend on each other:
//
//	picture [1,3,12,12] float ── Conv, weights [4,3,3,3], border 1 ──▶ convolution [1,4,12,12] float
//	a       [24,40]     float ── MatMul, [40,32] float ──────────────▶ product     [24,32] float
//	small   [24,40]     int8  ── MatMulInteger, [40,32] int8 ────────▶ quantised   [24,32] int32
//
// All are nodes that the CUDA provider has a kernel for since 2019, the last one as in dynamically quantised networks. The constants are whole
// numbers, so that every result is exact; scripts/prelude.py has the same, and the inputs.
var onnxModel = model{
	// The first IR version and operator set that have all of these, so that old releases read them too.
	ir: 5, opset: 10,
	nodes: []node{
		{op: "Conv", in: []string{"picture", "weights"}, out: "convolution", ints: map[string][]int64{"kernel_shape": {3, 3}, "pads": {1, 1, 1, 1}}},
		{op: "MatMul", in: []string{"a", "b"}, out: "product"},
		{op: "MatMulInteger", in: []string{"small", "b8"}, out: "quantised"},
	},
	constants: []tensor{
		{name: "weights", kind: typeFloat, shape: []int64{filters, channels, 3, 3}, values: numbers(filters*channels*9, 3, 5)},
		{name: "b", kind: typeFloat, shape: []int64{inner, columns}, values: numbers(inner*columns, 3, 9)},
		{name: "b8", kind: typeInt8, shape: []int64{inner, columns}, values: numbers(inner*columns, 3, 9)},
	},
	inputs: []tensor{
		{name: "picture", kind: typeFloat, shape: []int64{1, channels, size, size}},
		{name: "a", kind: typeFloat, shape: []int64{rows, inner}},
		{name: "small", kind: typeInt8, shape: []int64{rows, inner}},
	},
	outputs: []tensor{
		{name: "convolution", kind: typeFloat, shape: []int64{1, filters, size, size}},
		{name: "product", kind: typeFloat, shape: []int64{rows, columns}},
		{name: "quantised", kind: typeInt32, shape: []int64{rows, columns}},
	},
}

// As in scripts/prelude.py.
const (
	rows, inner, columns    = 24, 40, 32
	channels, size, filters = 3, 12, 4
)

// numbers are whole numbers around zero, as in scripts/prelude.py.
func numbers(count, factor, modulus int) []int {
	out := make([]int, count)
	for i := range out {
		out[i] = (i*factor+i*i/7)%modulus - modulus/2
	}
	return out
}

// Element types of onnx.proto, TensorProto.DataType.
const (
	typeFloat = 1
	typeInt8  = 3
	typeInt32 = 6
)

type model struct {
	ir, opset                  int64
	nodes                      []node
	constants, inputs, outputs []tensor
}

type node struct {
	op   string
	in   []string
	out  string
	ints map[string][]int64 // attributes
}

type tensor struct {
	name   string
	kind   int64
	shape  []int64
	values []int
}

// message is a protocol buffer that is written; the numbers of the fields are those of onnx.proto.
type message []byte

func (m *message) integer(field int, v int64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

func (m *message) text(field int, s string) { m.bytes(field, []byte(s)) }

// encode writes the model as a file of ONNX.
func (m model) encode() []byte {
	var graph, opset, out message
	for _, n := range m.nodes {
		graph.bytes(1, n.encode())
	}
	graph.text(2, "strata")
	for _, t := range m.constants {
		graph.bytes(5, t.constant())
	}
	for _, t := range m.inputs {
		graph.bytes(11, t.info())
	}
	for _, t := range m.outputs {
		graph.bytes(12, t.info())
	}
	opset.integer(2, m.opset)
	out.integer(1, m.ir)
	out.text(2, "strata")
	out.bytes(7, graph)
	out.bytes(8, opset)
	return out
}

func (n node) encode() []byte {
	var m message
	for _, in := range n.in {
		m.text(1, in)
	}
	m.text(2, n.out)
	m.text(3, n.op+" of "+n.out)
	m.text(4, n.op)
	for _, name := range []string{"kernel_shape", "pads"} {
		if list, ok := n.ints[name]; ok {
			const kindInts = 7
			var a message
			a.text(1, name)
			for _, v := range list {
				a.integer(8, v)
			}
			a.integer(20, kindInts)
			m.bytes(5, a)
		}
	}
	return m
}

// constant is the tensor with its values.
func (t tensor) constant() []byte {
	var m message
	for _, d := range t.shape {
		m.integer(1, d)
	}
	m.integer(2, t.kind)
	m.text(8, t.name)
	var raw []byte
	for _, v := range t.values {
		if t.kind == typeFloat {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
		} else {
			raw = append(raw, byte(int8(v)))
		}
	}
	m.bytes(9, raw)
	return m
}

// info is the tensor's name, type and shape.
func (t tensor) info() []byte {
	var shape, kind, value, m message
	for _, d := range t.shape {
		var one message
		one.integer(1, d)
		shape.bytes(1, one)
	}
	kind.integer(1, t.kind)
	kind.bytes(2, shape)
	value.bytes(1, kind)
	m.text(1, t.name)
	m.bytes(2, value)
	return m
}
