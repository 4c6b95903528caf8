#!/usr/bin/env python3
"""Whether two builds run the same device code: architecture, registers and a hash of the machine code (SASS) of every kernel.

  kernel_hashes.py BUILD [-o FILE.txt]  store the hashes of a program, library or object file
  kernel_hashes.py OLD NEW              compare two builds, or a build with stored hashes

Reads the file's fat binary itself, so that neither cuobjdump nor a GPU is needed. The hash covers all instructions; targets of calls
are left out, since they are addresses of other functions. Kernels are told apart by their demangled names.
Exit 0 where the code of all kernels is the same, 1 where a kernel changed, is missing or is new, 2 for a file without kernels.
"""
import argparse
import ctypes
import ctypes.util
import hashlib
import re
import struct
import subprocess
import sys

FATBIN, CUBIN, ZSTD, LZ4 = b"\x50\xed\x55\xba", 2, 0x8000, 0x2000
REGISTER_COUNT = 0x2F04  # an entry of .nv.info: attribute 0x2f, form 4
CALLS = (0x943, 0x944)  # CALL.ABS, CALL.REL: the low 12 bits of an instruction of 16 bytes
KERNEL = 0x10  # of a symbol's st_other
LINKED = re.compile(r"^__nv_static_\d+_.*?_(?=_Z)")  # what the device linker puts before a static name
RUNTIME = re.compile(r"mem(cpy|set)_3d_device")  # kernels of CUDA's own library


def sections(elf):
    """(name, content, type, link) of each section of an ELF file of 64 bits."""
    start, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQII", elf, start + size * i) for i in range(count)]
    text = headers[names][4]
    for name, kind, _, _, offset, length, link, _ in headers:
        end = elf.index(b"\0", text + name)
        yield elf[text + name:end].decode(), elf[offset:offset + length] if kind != 8 else b"", kind, link


def zstd_content(packed, size):
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
    content = ctypes.create_string_buffer(size)
    if library.ZSTD_decompress(content, size, packed, len(packed)) != size:
        sys.exit("a compressed cubin is damaged")
    return content.raw


def cubins(fatbins):
    """(architecture, ELF file) of each cubin in a section of fat binaries."""
    at = fatbins.find(FATBIN)
    while at >= 0:
        header, size = struct.unpack_from("<HQ", fatbins, at + 6)
        entry, at = at + header, at + header + size
        while entry < at:
            kind, _, header, padded, packed = struct.unpack_from("<HHIQI", fatbins, entry)
            architecture, _, _, flags, _, content_size = struct.unpack_from("<IIIQQQ", fatbins, entry + 28)
            content = fatbins[entry + header:entry + header + (packed or padded)]
            if kind == CUBIN:
                if flags & LZ4:
                    sys.exit("cubins compressed with LZ4 are not read: build with nvcc -compress-mode=size or -no-compress")
                yield architecture, zstd_content(content, content_size) if flags & ZSTD else content
            entry += header + padded
        at = fatbins.find(FATBIN, at)


def kernels_of(cubin):
    """(mangled name, registers, hash of the instructions) of each kernel and of the project's device functions in a cubin."""
    parts = list(sections(cubin))
    names, registers, kernels = {}, {}, set()
    for name, content, kind, link in parts:
        if kind == 2:  # the symbol table
            strings = parts[link][1]
            for number, (offset, other) in enumerate(struct.iter_unpack("<IxB18x", content)):
                names[number] = strings[offset:strings.index(b"\0", offset)].decode()
                if other & KERNEL:
                    kernels.add(names[number])
    for name, content, _, _ in parts:
        at = 0
        while name == ".nv.info" and at < len(content):
            form, value = struct.unpack_from("<HH", content, at)
            if form == REGISTER_COUNT:
                symbol, count = struct.unpack_from("<II", content, at + 4)
                registers[names[symbol]] = count
            at += 4 + (value if form & 0xFF == 4 else 0)
    for name, content, _, _ in parts:
        name = name.removeprefix(".text.") if name.startswith(".text.") else ""
        if (name in kernels or "4loom" in name) and not RUNTIME.search(name):
            code = hashlib.sha256()
            for low, high in struct.iter_unpack("<QQ", content):
                call = low & 0xFFF in CALLS
                code.update(struct.pack("<QQ", low & 0xFFFFFFFF if call else low, high >> 18 << 18 if call else high))
            yield LINKED.sub("", name), registers.get(name, 0), code.hexdigest()[:16]


def read(path):
    """The set of (architecture, demangled name, registers, hash)."""
    with open(path, "rb") as file:
        content = file.read()
    if not content.startswith(b"\x7fELF"):
        rows = (line.split(maxsplit=3) for line in content.decode().splitlines() if line and not line.startswith("#"))
        return {(architecture, name, registers, code) for architecture, registers, code, name in rows}
    found = [(f"sm_{architecture}", *kernel) for name, fatbins, _, _ in sections(content) if name in (".nv_fatbin", "__nv_relfatbin")
             for architecture, cubin in cubins(fatbins) for kernel in kernels_of(cubin)]
    demangled = subprocess.run(["c++filt"], input="\n".join(row[1] for row in found), capture_output=True, text=True, check=True)
    return {(row[0], name, str(row[2]), row[3]) for row, name in zip(found, demangled.stdout.split("\n"))}


def compare(old, new):
    """Prints each difference; their number. A kernel with another name and the same code is none."""
    gone, added = sorted(old - new), sorted(new - old)
    changed = renamed = 0
    for kernel in list(gone):
        same_name = (other for other in added if other[:2] == kernel[:2])
        same_code = (other for other in added if other[0] == kernel[0] and other[2:] == kernel[2:])
        other = next(same_name, None) or next(same_code, None)
        if not other:
            continue
        if kernel[1] == other[1]:
            print(f"changed  {kernel[0]} {kernel[1]}: registers {kernel[2]}, now {other[2]}")
            changed += 1
        else:
            print(f"renamed  {kernel[0]} {kernel[1]}: now {other[1]}")
            renamed += 1
        gone.remove(kernel)
        added.remove(other)
    for word, kernels in (("removed", gone), ("added  ", added)):
        for kernel in kernels:
            print(f"{word}  {kernel[0]} {kernel[1]}")
    print(f"{len(old & new)} kernels are the same, {renamed} renamed, {changed} changed, {len(gone)} removed, {len(added)} added")
    return changed + len(gone) + len(added)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("old")
    a.add_argument("new", nargs="?")
    a.add_argument("-o", "--out")
    o = a.parse_args()
    builds = [read(path) for path in (o.old, o.new) if path]
    if not all(builds):
        print(f"{o.old if not builds[0] else o.new}: no kernels", file=sys.stderr)
        return 2
    if o.new:
        return 1 if compare(*builds) else 0
    text = "# architecture, registers, hash, kernel\n" + "".join(
        f"{architecture} {registers:>3} {code} {name}\n" for architecture, name, registers, code in sorted(builds[0]))
    if o.out:
        with open(o.out, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
