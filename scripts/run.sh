#!/usr/bin/env bash
# Builds Fractal Loom, installing first what is missing, and runs it with this script's arguments. Without a display
# the default scene is rendered off screen into build/fractal-loom.png.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
called_from="$PWD"
cd "$root"
. scripts/setup.sh

need_packages "${build_packages[@]}" >&2
# Build messages go to standard error: standard output is the program's, and may be JSON.
# An existing build keeps its settings (with tests, say).
if [ ! -f build/release/build.ninja ]; then configure release -DLOOM_TESTS=OFF >&2; fi
build release fractal-loom >&2

program="$root/build/release/fractal-loom"
cd "$called_from"
opens_window=yes
case "${1-}" in
  view) shift ;;
  "" | --help | -h | --version) [ -z "${1-}" ] || opens_window=no ;;
  -*) ;;
  *) opens_window=no ;;
esac
if [ "$opens_window" = no ]; then exec "$program" "$@"; fi
if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then exec "$program" view "$@"; fi

picture="$root/build/fractal-loom.png"
say "no display (neither DISPLAY nor WAYLAND_DISPLAY is set): rendering the scene off screen" >&2
"$program" shot --out "$picture" "$@"
say "the picture is in $picture" >&2
