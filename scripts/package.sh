#!/usr/bin/env bash
# Builds Fractal Loom, installing first what is missing, and packs it into build/package/fractal-loom_VERSION_ARCH.deb.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
. scripts/setup.sh

need_packages "${build_packages[@]}" "${package_packages[@]}"
# An existing build keeps its other settings (with tests, say).
settings=(-DLOOM_CUDA_ARCHITECTURES=all)
if [ ! -f build/release/build.ninja ]; then settings+=(-DLOOM_TESTS=OFF); fi
configure release "${settings[@]}"
build release fractal-loom
pack build/release build/package
