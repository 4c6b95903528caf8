# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by run.sh and test.sh: installs what is missing from Debian's or Ubuntu's packages, says what, and makes no
# call to apt where nothing is missing. Needs `root` to be the repository's folder.

# What building and running takes.
build_packages=(
  cmake ninja-build g++ pkg-config python3-glad
  libglfw3-dev libimgui-dev libglm-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libmuparserx-dev libfmt-dev libpng-dev zlib1g-dev libzstd-dev libcairo2-dev libmd4c-dev libmpfr-dev libgmp-dev
  libgl1 libegl1 libgl1-mesa-dri libglx-mesa0 libegl-mesa0 fonts-inter fonts-dejavu-core fonts-font-awesome
)
# What packing takes besides.
package_packages=(dpkg-dev file)
# What the portable archive takes besides.
portable_packages=(patchelf xz-utils)
# What configuring the tests and running the window tests take besides.
window_test_packages=(libgtest-dev librapidcheck-dev xvfb xauth xdotool)
# What the tests take besides.
test_packages=("${window_test_packages[@]}" libopenmpi-dev openmpi-bin "${package_packages[@]}" "${portable_packages[@]}" desktop-file-utils appstream lintian)

if command -v ccache >/dev/null; then
  # Without these ccache compiles whatever uses a precompiled header anew each time.
  export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
  # The compiler is known by what it is, not by when it was installed: another root with the same one shares the cache.
  export CCACHE_COMPILERCHECK="${CCACHE_COMPILERCHECK:-content}"
fi

say() { printf '== %s\n' "$*"; }

# Runs a command as root: directly, or through sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "cannot install: neither root nor sudo; as root, run: apt-get install ${missing[*]}" >&2
    return 1
  fi
}

# need_packages NAME...: installs those that are not.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian or Ubuntu system; the build needs what these packages hold: $*"
    return
  fi
  local installed
  # dpkg-query fails where it does not know one of the names; what it knows is on its output all the same.
  installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "$@" 2>/dev/null || true)"
  missing=()
  local package
  for package in "$@"; do
    case "$installed" in
      *" $package=installed "*) ;;
      *) missing+=("$package") ;;
    esac
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "installing: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# configure PRESET ARG...: CMake's settings, once more only where they changed or were never made.
configure() {
  local preset=$1
  shift
  local args=("$@")
  if command -v ccache >/dev/null; then
    args+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  local stamp="$root/build/$preset/.settings"
  local settings
  settings="$(printf '%s\n' "${args[@]+"${args[@]}"}")"
  if [ -f "$root/build/$preset/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$settings" ]; then return; fi
  say "configuring build/$preset"
  cmake --preset "$preset" "${args[@]+"${args[@]}"}"
  printf '%s\n' "$settings" >"$stamp"
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  say "building build/$preset"
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}

# took SECONDS NAME: where LOOM_TIMES names a file, that is kept there (.ci/run).
took() { if [ -n "${LOOM_TIMES-}" ]; then printf '%6d s  %s\n' "$@" >>"$LOOM_TIMES"; fi; }

# pack BUILD FOLDER: the program of a build folder as a Debian package.
pack() {
  say "packing"
  cpack --config "$1/CPackConfig.cmake" -G DEB -B "$2" >/dev/null
  rm -rf "$2/_CPack_Packages"
  say "the package is $(ls -t "$2"/*.deb | head -n 1)"
}
