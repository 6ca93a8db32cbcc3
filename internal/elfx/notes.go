package elfx

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
)

// FwdCompat is the note .note.cuda.fwd_compatibility in the libcuda of NVIDIA's
// forward-compatibility packages (cuda-compat-*). It says on which drivers the
// library may replace the driver's own libcuda.
//
// The note's owner is "NVIDIA Corporation", its contents a JSON object, as read
// by NVIDIA's container toolkit in
// cmd/nvidia-cdi-hook/cudacompat/cuda-elf-header.go (Apache-2.0); there the
// library is used if the host driver's branch is in Drivers and the library is
// newer than the host driver. Seen: 575.57.08 (CUDA 12.9), 590.44.01 (13.1);
// the one for Orin (13.2) lists neither drivers nor devices.
type FwdCompat struct {
	Format      int    // format of the note, 1 so far
	CUDAVersion string // CUDA version the library implements, "12.9"
	Drivers     []int  // branches of the kernel driver it runs on: 535, 550, …
	Devices     []int  // NVIDIA's numbers for device families; their meaning is not published
	Problem     string // why the note could not be read; the other fields are then empty
}

const (
	compatSection = ".note.cuda.fwd_compatibility"
	compatOwner   = "NVIDIA Corporation"
	maxCompatList = 256
)

// readNotes looks for the build ID and the compatibility note, first in
// segments, then in sections: object files have no segments, and Go's linker
// leaves the build ID out of them.
func (im *image) readNotes(f *File, sections []section) error {
	for _, p := range im.progs {
		if p.typ != ptNote || p.filesz == 0 || p.off > math.MaxInt64/2 {
			continue
		}
		n := int64(min(p.filesz, maxNote))
		if !im.inside(int64(p.off), n) {
			continue // checkLoads reports it, if the loader would look
		}
		b, err := im.bytes(int64(p.off), n, "a note segment")
		if err != nil {
			return err
		}
		im.parseNotes(f, b, int(min(p.algn, 16)))
	}
	if f.BuildID != "" && f.CompatNote != nil {
		return nil
	}
	for _, s := range sections {
		if s.typ != shtNote || (s.name != compatSection && s.name != ".note.gnu.build-id") || !im.inside(s.off, s.size) {
			continue
		}
		b, err := im.bytes(s.off, min(s.size, maxNote), "a note section")
		if err != nil {
			return err
		}
		im.parseNotes(f, b, 4)
	}
	return nil
}

// parseNotes walks the notes in b: three words (lengths of owner and contents,
// type), then both, each padded to the alignment. Anything odd ends the walk:
// notes are extra information.
func (im *image) parseNotes(f *File, b []byte, align int) {
	if align != 8 {
		align = 4
	}
	for len(b) >= 12 {
		owner, desc, typ := uint64(im.order.Uint32(b)), uint64(im.order.Uint32(b[4:])), im.order.Uint32(b[8:])
		from := alignUp(12+owner, align)
		next := alignUp(from+desc, align)
		if from > uint64(len(b)) {
			return
		}
		// The compatibility note of libcuda for Orin (13.2) states more bytes than
		// its section has; the JSON in it is whole.
		desc = min(desc, uint64(len(b))-from)
		im.note(f, string(bytes.TrimRight(b[12:12+owner], "\x00")), typ, b[from:from+desc])
		if next >= uint64(len(b)) {
			return
		}
		b = b[next:]
	}
}

func (im *image) note(f *File, owner string, typ uint32, desc []byte) {
	switch {
	case owner == "GNU" && typ == 3 && f.BuildID == "" && len(desc) <= 64:
		f.BuildID = hex.EncodeToString(desc)
	case owner == compatOwner && f.CompatNote == nil && bytes.HasPrefix(desc, []byte("{")):
		f.CompatNote = parseCompat(bytes.TrimRight(desc, "\x00"))
	}
}

func parseCompat(desc []byte) *FwdCompat {
	var raw struct {
		Format      int
		CUDAVersion string `json:"CUDA version"`
		Driver      []int
		Device      []int
	}
	if err := json.Unmarshal(desc, &raw); err != nil {
		return &FwdCompat{Problem: "the note is not the JSON it should be: " + err.Error()}
	}
	if len(raw.Driver) > maxCompatList || len(raw.Device) > maxCompatList || len(raw.CUDAVersion) > 32 {
		return &FwdCompat{Problem: "the note lists more than is plausible"}
	}
	return &FwdCompat{Format: raw.Format, CUDAVersion: raw.CUDAVersion, Drivers: raw.Driver, Devices: raw.Device}
}

func alignUp(n uint64, to int) uint64 {
	return (n + uint64(to) - 1) &^ (uint64(to) - 1)
}
