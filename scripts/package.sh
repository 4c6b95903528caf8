#!/usr/bin/env bash
# Builds Fractal Loom, installing first what is missing, and packs it into build/package/fractal-loom_VERSION_ARCH.deb; with
# --portable into build/package/fractal-loom-VERSION-linux-x86_64.tar.xz, which runs on Debian 12 and newer without installation.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
. scripts/setup.sh

portable=
case "$#:${1-}" in
0:) ;;
1:--portable) portable=1 ;;
*) say "unknown arguments: $*; allowed: --portable" >&2; exit 2 ;;
esac
need_packages "${build_packages[@]}" "${package_packages[@]}" ${portable:+"${portable_packages[@]}"}
# An existing build keeps its other settings (with tests, say). MPI is not portable: its parts are found in fixed folders.
settings=(-DLOOM_CUDA_ARCHITECTURES=all "-DLOOM_MPI=$([ -n "$portable" ] && echo OFF || echo ON)")
if [ ! -f build/release/build.ninja ]; then settings+=(-DLOOM_TESTS=OFF); fi
configure release "${settings[@]}"
build release fractal-loom
if [ -n "$portable" ]; then
  scripts/portable.sh build/release build/package
else
  pack build/release build/package
fi
