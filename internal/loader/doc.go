// Package loader says exactly what the dynamic linker of a root would do: which
// copy of a library a program gets, which it passes over, and why.
//
//	linker, err := loader.New(m, loader.Options{})
//	p := linker.Start("/usr/bin/python3.11", loader.Environment{LibraryPath: "/opt/x"})
//	lib, err := p.Open("libcublas.so.12", caller) // dlopen from caller
//
// It follows the sources of glibc (elf/dl-load.c, dl-deps.c, dl-cache.c,
// dl-hwcaps*.c, dl-version.c; 2.28 to 2.41) and musl (ldso/dynlink.c; 1.1 and
// 1.2). Nothing is executed: objects are read with package elfx through a
// machine, so that another root is judged by its own linker, cache and files.
//
// # The order of glibc
//
// For a name without a slash, from an object that was loaded by others:
//
//  1. an object that is loaded already under this name or soname;
//  2. unless the asking object has DT_RUNPATH: DT_RPATH of the object, of what
//     it was loaded for, and so on, and of the program;
//  3. LD_LIBRARY_PATH;
//  4. DT_RUNPATH of the asking object;
//  5. ld.so.cache;
//  6. the directories built into ld.so, unless the object has DF_1_NODEFLIB,
//     which also bars the cache's entries in them.
//
// Each directory of 2 to 4 and 6 is searched in its subdirectories for the
// processor first (glibc-hwcaps, and before glibc 2.37 the older ones). A file
// of another machine or class is passed over. One that is no ELF file, or
// shorter than an ELF header, ends the whole load. Whatever is found is the
// same object as one that is loaded already if device and inode are the same.
//
// # What it does not know
//
// Which libraries a program opens by name while it runs: callers say that with
// Open. Filters (DT_FILTER, DT_AUXILIARY), audit modules and dlmopen name
// spaces are not followed. A note that asks for a newer kernel than the
// machine's is not weighed.
package loader
