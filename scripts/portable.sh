#!/usr/bin/env bash
# portable.sh BUILD FOLDER: packs the program of a build folder into FOLDER/fractal-loom-VERSION-linux-x86_64.tar.xz, with the
# libraries that it needs beside it. The same build gives the same bytes. XZ_OPT chooses the compression, -9 by default. Called by
# package.sh --portable.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build=$1
out=$2
version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")"
name="fractal-loom-$version-linux-$(uname -m)"
# Times in the archive are those of the last commit.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
tree="$work/$name"
cmake --install "$build" --prefix "$tree" --strip >/dev/null
find "$tree" -name changelog.gz -delete # it has the time of the build

# Libraries of every system: those of C and C++, which what the system has of OpenGL needs in its own version, OpenGL itself, and of X
# those that come with OpenGL. CUDA's driver is loaded where there is one.
of_system='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|GL|GLX|EGL|OpenGL|GLdispatch|X11|X11-xcb|xcb|Xau|Xdmcp|bsd|md|cuda|nvidia.*))\.so'
mkdir "$tree/lib"
# add FILE: copies the libraries that a program or a library needs, and theirs.
add() {
  local library path
  while read -r library path; do
    if [[ "$library" =~ $of_system ]] || [ -e "$tree/lib/$library" ]; then continue; fi
    install -m 644 "$path" "$tree/lib/$library"
    strip --strip-unneeded "$tree/lib/$library"
    add "$path"
  done < <(ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}')
}
add "$tree/bin/fractal-loom"
# GLFW loads these when it opens a window.
for library in libXcursor.so.1 libXi.so.6 libXinerama.so.1 libXrandr.so.2 libXxf86vm.so.1; do
  path="$(ldconfig -p | awk -v name="$library" '$1 == name && /x86-64/ && !found++ {print $NF}')"
  if [ -z "$path" ]; then continue; fi
  install -m 644 "$path" "$tree/lib/$library"
  strip --strip-unneeded "$tree/lib/$library"
  add "$path"
done
patchelf --set-rpath '$ORIGIN/../lib' "$tree/bin/fractal-loom"
for library in "$tree"/lib/*.so*; do patchelf --set-rpath '$ORIGIN' "$library"; done
# The notices of the packages that the libraries come from.
for library in "$tree"/lib/*.so*; do
  path="$(ldconfig -p | awk -v name="$(basename "$library")" '$1 == name && /x86-64/ && !found++ {print $NF}')"
  # By name: the system may list the file in /lib and find it in /usr/lib.
  package="$(dpkg-query -S "*/$(basename "$(readlink -f "$path")")" 2>/dev/null | sed 's/:.*//; q' || true)"
  if [ -f "/usr/share/doc/$package/copyright" ]; then
    install -D -m 644 "/usr/share/doc/$package/copyright" "$tree/share/doc/libraries/$package"
  fi
done
install -m 755 "$root/packaging/portable.sh" "$tree/fractal-loom"
install -m 644 "$root/LICENSE" "$tree/LICENSE"

mkdir -p "$out"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' \
  --format=gnu -cf - "$name" | XZ_OPT="${XZ_OPT--9}" xz --threads=1 >"$out/$name.tar.xz"
printf '== the archive is %s, %s bytes\n' "$out/$name.tar.xz" "$(stat -c %s "$out/$name.tar.xz")"
