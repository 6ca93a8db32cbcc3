// Package fatbin tells which GPU architectures a file has code for: an ELF or PE
// library or program, a static library, fat binaries alone, a cubin, or PTX text.
// It walks the headers of fat binaries, some hundred bytes per code, and never
// unpacks a code.
//
// # Format
//
// NVIDIA publishes the container's header (fatbinary.h of the CUDA toolkit) and
// not the entries. What follows was found by others before (the fat binary
// notes of nvopen-tools, the parsers of ZLUDA and cricket) and checked here.
// All numbers are little-endian.
//
// A section holds containers, each aligned to 8 bytes, about one per source
// file:
//
//	0  u32  magic BA55ED50
//	4  u16  version 1
//	6  u16  length of this header, 16
//	8  u64  length of the entries that follow
//
// A container holds entries, one per code. The next one follows at header
// length plus payload length:
//
//	 0  u16  kind: 1 PTX, 2 cubin, 256 group
//	 2  u16  0x101
//	 4  u32  length of this header; seen: 64, 72, 80, 88, 96, 104, 112, 120
//	 8  u64  length of the payload, padded to 8
//	16  u32  length of the payload if compressed, else 0
//	20  u32  where the header's extension starts (64, or 72 behind a name), or 0
//	24  u16  minor and
//	26  u16  major version: of PTX, the PTX ISA; of cubins 1.8 from CUDA 13 and for sm_100 and later, before 1.7
//	28  u32  architecture, 90 for sm_90
//	32  u32  offset, u32 length of a name (fatbinary --ident), or 0
//	40  u64  flags
//	56  u64  uncompressed length if compressed
//
// # Flags
//
// Found by making fat binaries for fifteen targets from sm_75 to sm_121f with
// ptxas and fatbinary of CUDA 13.5, one option at a time:
//
//	bit  0  64-bit         set everywhere
//	bit  1  debug          fatbinary -g
//	bit  4  Linux host     set everywhere
//	bit 13  LZ4            --compress-mode=speed
//	bit 15  zstd           --compress-mode=default, balance and size
//	bit 20  suffix a       sm_90a, 100a, 103a, 120a; cubin and PTX
//	bit 21  suffix f       sm_100f, 103f, 110f, 120f, 121f; cubin and PTX
//	bit 24  cubins of sm_100 and later
//
// So bit 20 is the architecture-specific target, and not "9.0 or later": plain
// sm_90, sm_100 and sm_120 do not have it, in the experiment and in NVIDIA's
// own libraries. cuobjdump prints the suffix a, and f for PTX; for cubins it
// leaves f out.
//
// fatbinary --concat (seen in CUDA 13.5, in no library yet) packs several codes
// of a kind into one compressed entry of kind 256, a group; see group.go. A
// reader that does not know groups overlooks their codes.
//
// # Compression and drivers
//
// A driver cannot load what it cannot decompress, so the kind matters to old
// drivers. Measured in the libraries below:
//
//   - Built with CUDA 13 (PTX ISA 9.0 and later, cubins 1.8): zstd or nothing.
//   - Built with CUDA 11 and 12 (to 12.9, PTX ISA 8.8): LZ4 or nothing, even in
//     libraries that appeared after CUDA 13 (cuDNN 9.28 for CUDA 12).
//   - One exception: cuBLAS 12.8 and 12.9 have zstd for some codes of sm_100 and
//     sm_120 and PTX for compute_120, and LZ4 for all GPUs before.
//
// So in CUDA 12 no GPU before Blackwell meets zstd in what we measured;
// who builds with --compress-mode=size or balance may still ship it.
//
//	package (PyPI)                 library            containers/codes  cubins                                  PTX
//	nvidia-curand-cu11 10.3.0.86   libcurand               11/109   none 35…90                               7.8 lz4 90
//	nvidia-curand-cu12 10.3.5.147  libcurand               11/98    none 50…90                               8.4 lz4 90
//	nvidia-curand-cu12 10.3.9.90   libcurand               11/131   none 50…120                              8.7 lz4 120
//	nvidia-curand-cu12 10.3.10.19  libcurand               11/153   none 50…121                              8.8 lz4 121
//	nvidia-curand 10.4.0.35        libcurand               11/109   none 75…121                              9.0 zstd 121
//	nvidia-curand 10.4.5.25        libcurand               13/186   zstd 75…120                              9.4 zstd 75…120
//	nvidia-nvjpeg-cu12 12.3.1.117  libnvjpeg               11/120   lz4, none 50…90                          8.4 lz4 90
//	nvidia-nvjpeg-cu12 12.3.5.92   libnvjpeg               11/153   lz4, none 50…120                         8.7 lz4 120
//	nvidia-nvjpeg-cu12 12.4.0.76   libnvjpeg               11/175   lz4, none 50…121                         8.8 lz4 121
//	nvidia-nvjpeg 13.0.0.40        libnvjpeg               11/120   zstd, none 75…121                        9.0 zstd 121
//	nvidia-nvjpeg 13.3.2.43        libnvjpeg               10/110   zstd 75…121                              9.4 zstd 121
//	nvidia-npp-cu12 12.4.1.87      libnppif                64/959   lz4, none 50…121                         8.8 lz4 121
//	nvidia-npp 13.2.0.93           libnppif                66/725   zstd, none 75…121                        9.5 zstd 121
//	nvidia-cublas-cu12 12.8.4.1    libcublas              200/1802  lz4 50…90, zstd 100 120                  8.7 zstd 120
//	nvidia-cublas-cu12 12.8.4.1    libcublasLt           2918/5868  lz4 50…120 90a 120a, zstd 100 120        8.7 zstd 120, lz4 52 120
//	nvidia-cublas-cu12 12.9.1.4    libcublas              198/1780  lz4 50…90, zstd 100 120                  8.7 zstd 120
//	nvidia-cublas-cu12 12.9.1.4    libcublasLt           3015/5969  lz4 50…121 90a, zstd 100 120 120f        8.7, 8.8 zstd 120, 8.8 lz4 52
//	nvidia-cublas 13.0.0.19        libcublas              193/1257  zstd 75…120                              9.0 zstd 120
//	nvidia-cublas 13.0.0.19        libcublasLt           2775/5712  zstd 75…90 90a 100…121 120f              9.0 zstd 75 120
//	nvidia-cusolver-cu12 11.6.1.9  libcusolver            210/2079  lz4, none 50…90                          8.4 lz4 80 86 90
//	nvidia-cusolver-cu12 11.7.5.82 libcusolver            226/3165  lz4, none 50…120                         8.8 lz4 80…120
//	nvidia-cusolver 12.4.1.2       libcusolver            252/2433  zstd 75…120                              9.4 zstd 90 100 103 107 120
//	nvidia-cusparse-cu12 12.5.10.65 libcusparse           136/1862  lz4, none 50…121                         8.8 lz4 50…121
//	nvidia-cusparse 12.9.4.2       libcusparse            137/1507  zstd 75…120                              9.4 zstd 120
//	nvidia-cusparselt-cu12 0.6.2   libcusparseLt           19/58    lz4 80 86 87 90a, none 80…90             8.4, 8.5 lz4 52…90
//	nvidia-cusparselt-cu12 0.8.1   libcusparseLt          761/1144  lz4 52…121 90a 120f, none 80…120         8.8 lz4 52…120
//	nvidia-cusparselt-cu13 0.10.0  libcusparseLt          795/1182  zstd 75…121 90a 120f, none 80…120        9.2, 9.4 zstd 75…120
//	nvidia-nccl-cu12 2.21.5        libnccl                  1/6     lz4 50…90                                no
//	nvidia-nccl-cu12 2.27.3        libnccl                 16/115   lz4 50…120 100a 120a                     8.8 lz4 120
//	nvidia-nccl-cu12 2.32.3        libnccl                 76/466   lz4 60…120 100f                          8.8 lz4 120
//	nvidia-nccl-cu13 2.32.3        libnccl                 76/466   zstd 75…120 100f                         9.4 zstd 120
//	nvidia-cufft-cu12 11.4.1.4     libcufft                 1/1     lz4 52 (see below)                       no
//	nvidia-cufft 12.0.0.61         libcufft                 1/1     zstd 75 (see below)                      no
//	nvidia-cudnn-cu12 9.1.0.70     libcudnn_ops            22/198   lz4 50…90                                8.4 lz4 90
//	nvidia-cudnn-cu12 9.28.0.42    libcudnn_ops            22/132   lz4 75 80 90a 100f 120f                  8.8 lz4 120f
//	nvidia-cudnn-cu13 9.28.1.4     libcudnn_ops            22/132   zstd 75 80 90a 100f 120f                 9.5 zstd 120f
//	nvidia-cudnn-cu13 9.28.1.4     …engines_precompiled  1541/4354  zstd 75…121 90a 100f 120f                9.5 zstd 120f
//	nvidia-cudss-cu12 1.0.0.35     libcudss                82/779   lz4 50…120 100a                          8.8 lz4 100
//	onnxruntime-gpu 1.31.1         …providers_cuda        609/2058  zstd 75 80 86 89 90a 120a                no
//	torch 2.9.1                    libtorch_cuda          397/2787  lz4 70…120 90a 100a 120a                 no
//	ctranslate2 4.8.5              libctranslate2          34/272   lz4 53…86                                8.7 lz4 86
//	xformers 0.0.35                _C.so                   11/44    none 75 80 90a                           8.7 lz4 80
//	bitsandbytes 0.50.2            …_cuda118 … _cuda128     1/7, 8  none 60…120                              no
//	bitsandbytes 0.50.2            …_cuda130, _cuda132      1/7     zstd 75…120                              no
//
// cuFFT has a single code in some 270 MB: its kernels are not in fat binaries,
// so for it this package cannot tell what GPUs it supports. That code, also all that
// libnppc and libnppisu have, is a cubin without symbols for nvcc's default target
// (sm_52, sm_75 from CUDA 13), which its device linker adds.
//
// # Verification
//
// internal/tools/codecheck compares this package with cuobjdump, by kind and
// architecture of every code (up to the f of cubins, which cuobjdump leaves out
// of its list). With cuobjdump of CUDA 13.5, and of 12.4 for what that no longer
// reads (sm_35, and libraries of CUDA 11 and 12.1 of which it says "Invalid ELF"):
// 105 files of CUDA 11.8, 12.1, 12.4, 12.8, 12.9, 13.0, 13.4 and 13.5 with 31,798
// codes agree and none differs. 14 of them are Windows DLLs (their section put into
// an ELF file, since cuobjdump for Linux does not read PE), 2 are static libraries;
// on a third one, of COFF objects, it gave up ("unterminated longname in archive").
//
// With -payload each code is unpacked by cuobjdump, and its target, suffix and PTX
// ISA are compared with what the code says about itself: 6,196 codes of 16 files,
// no difference. In a second check 6,313 codes of 18 libraries were unpacked with the
// public decoders of LZ4 and zstd, as bits 13 and 15 say: all became an ELF file of
// machine 190 or PTX, and bits 20 and 21 were set where the code names a target with
// suffix a or f, and nowhere else. (In new cubins the options of ptxas, "-arch
// sm_100f", are in the note .note.nv.tkinfo; see cubin.go for the old ones.)
//
// # Toolkit
//
// The version of an entry's cubin follows the toolkit: 1.8 for GPUs before sm_100 was
// seen from CUDA 13 only, in 770 cubins, and 1.7 in all 2,418 cubins of CUDA 11.8 to
// 12.9. So Open knows CUDA 13 also where all cubins are compressed. Which release, it
// reads from cubins that are not; it does not unpack any.
//
// # Other files
//
// In PE files the section is named .nv_fatb (names are cut to eight bytes), in COFF
// objects __nv_relfatbin in full; there it lies at any offset, and the alignment of
// containers counts from its start. Stand-alone cubins: see cubin.go.
//
// # Relocatable device code
//
// Libraries built with nvcc -rdc=true (NCCL, NVSHMEM, bitsandbytes) also have a
// section __nv_relfatbin with the objects that were linked into .nv_fatbin, and
// with PTX that the linked code does not have. "cuobjdump" without -all passes
// over it, and so did we; but the driver does not: where no linked cubin fits, it
// compiles the PTX of every object and links the result (NVIDIA's guide to nvcc,
// "JIT Linking Support"; the objects are what the linked code's wrapper record
// calls prelinked_fatbins). Summary.Linkable is the PTX that all of them hold,
// since one object without it makes that link fail. Codes is as cuobjdump has it.
package fatbin
