#!/usr/bin/env bash
# Tries the README's commands on a fresh Debian without the CUDA Toolkit: a new root folder from debootstrap, a clone of
# the commit that is checked out here, then scripts/run.sh and scripts/test.sh in it. Prints each one's exit status, time and
# last lines; exit status 1 where one fails. Needs root, debootstrap and the network.
#
#   scripts/fresh_machine.sh [--first] [--after FILE] [bookworm|trixie ...]     no name: both releases
#
# --first: scripts/run.sh and, on another release than this machine's, the window tests with the program that it built.
# --after: the window tests begin when FILE exists, since another build or test beside them would take their time (.ci/run).
# LOOM_DEBIAN_MIRROR names another mirror than deb.debian.org. Downloaded packages are kept in LOOM_PACKAGE_CACHE
# (default ~/.cache/fractal-loom/packages) for the next time; the root folder is removed. Where ccache is installed here, the new
# roots have it too, with the same cache: the same compiler does not compile the same twice. A user's first build needs none.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
. scripts/setup.sh

mirror="${LOOM_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
cache="${LOOM_PACKAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fractal-loom/packages}"
first=no
after=
releases=()
while [ $# -gt 0 ]; do
  case "$1" in
    --first) first=yes ;;
    --after)
      after="${2:?the file whose existence starts the window tests}"
      shift
      ;;
    bookworm | trixie) releases+=("$1") ;;
    *)
      echo "fresh_machine.sh: unknown argument '$1' (choose --first, --after FILE, bookworm or trixie)" >&2
      exit 2
      ;;
  esac
  shift
done
[ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)

skip() {
  say "fresh machine: skipped: $1"
  exit 0
}
[ "$(id -u)" -eq 0 ] || skip "it needs root"
need_packages debootstrap || skip "apt-get cannot install debootstrap here"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "this system allows no mount namespace"

folder="$(mktemp -d "${TMPDIR:-/var/tmp}/fractal-loom-fresh.XXXXXX")"
trap 'rm -rf --one-file-system "$folder"' EXIT

# make_root RELEASE: a minimal Debian in $folder/RELEASE.
make_root() {
  local fresh="$folder/$1"
  mkdir -p "$fresh" "$cache/$1"
  debootstrap --variant=minbase --cache-dir="$cache/$1" "$1" "$fresh" "$mirror" >"$folder/$1.debootstrap" 2>&1 || return 1
  cp /etc/resolv.conf "$fresh/etc/resolv.conf"
}

# The compiler cache of this machine, if it has one, with its settings as environment variables.
compiler_cache=()
if command -v ccache >/dev/null; then
  compiler_cache=("$(ccache --get-config cache_dir)" CCACHE_DIR=/ccache "CCACHE_BASEDIR=$(ccache --get-config base_dir)"
    "CCACHE_SLOPPINESS=$(ccache --get-config sloppiness)" CCACHE_COMPILERCHECK=content)
  [ "$(ccache --get-config hash_dir)" = true ] || compiler_cache+=(CCACHE_NOHASHDIR=true)
  mkdir -p "${compiler_cache[0]}"
fi
# share_compiler_cache RELEASE: ccache in the root; in_root mounts its folder.
share_compiler_cache() {
  [ ${#compiler_cache[@]} -gt 0 ] || return 0
  mkdir -p "$folder/$1/ccache"
  in_root "$1" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ccache' \
    >"$folder/$1.ccache" 2>&1 || say "fresh machine: without ccache, which apt-get cannot install"
}

# in_root RELEASE COMMAND...: with its own mounts and processes, which end with it, and nothing of this environment but a proxy.
in_root() {
  local fresh="$folder/$1" release=$1
  shift
  unshare --mount --pid --fork --kill-child bash -c '
      set -e
      fresh=$1 archives=$2 compiler_cache=$3
      shift 3
      mount -t proc proc "$fresh/proc"
      mount -t sysfs -o ro sysfs "$fresh/sys"  # mpirun crashes without it
      mount -t tmpfs -o mode=1777 tmpfs "$fresh/dev/shm"
      mount --bind "$archives" "$fresh/var/cache/apt/archives"
      [ -z "$compiler_cache" ] || mount --bind "$compiler_cache" "$fresh/ccache"
      exec chroot "$fresh" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} ${CI:+CI="$CI"} "$@"' \
    in_root "$fresh" "$cache/$release" "${compiler_cache[0]-}" "${compiler_cache[@]:1}" "$@"
}

failed=0
# try_command RELEASE COMMAND: runs it in the root, and prints exit status, time and last lines.
try_command() {
  local release=$1 command=$2 log="$folder/$1.log" begin=$SECONDS status=0
  in_root "$release" bash -c "cd '$root' && exec $command" >"$log" 2>&1 </dev/null || status=$?
  tail -n 12 "$log" | sed 's/^/   | /'
  say "fresh machine: Debian $release: $command: exit status $status after $((SECONDS - begin)) s"
  took $((SECONDS - begin)) "Debian $release: $command"
  if [ "$status" -ne 0 ]; then
    # What failed may lie far above the end of the log.
    grep -nE '^FAILED|error:|CMake Error|\*\*\*(Failed|Timeout|Exception|Not Run)' "$log" | head -n 40 | sed 's/^/   ! /' || true
    failed=1
  fi
}

other_releases=()
for release in "${releases[@]}"; do
  say "fresh machine: Debian $release"
  if ! make_root "$release"; then
    # A machine without a network, or whose mirror lacks the release, has said nothing about the program.
    tail -n 3 "$folder/$release.debootstrap" | sed 's/^/   | /'
    say "fresh machine: skipped: debootstrap does not work here"
    continue
  fi
  # At the path that it has here, which the compiler cache knows sources by.
  mkdir -p "$folder/$release$root"
  git clone --quiet --no-hardlinks "$root" "$folder/$release$root"
  share_compiler_cache "$release"
  if in_root "$release" sh -c 'command -v nvcc || ls -d /usr/local/cuda*' 2>/dev/null; then
    say "fresh machine: FAILED: nvcc is visible in the new root"
    failed=1
  fi
  try_command "$release" scripts/run.sh
  if [ "$first" = yes ] && [ "$release" != "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" ]; then
    other_releases+=("$release")
    continue
  fi
  [ "$first" = yes ] || try_command "$release" scripts/test.sh
  rm -rf --one-file-system "${folder:?}/$release"
done
while [ -n "$after" ] && [ ! -e "$after" ] && kill -0 "$PPID" 2>/dev/null; do sleep 1; done
for release in "${other_releases[@]}"; do
  try_command "$release" "scripts/test.sh --windows"
done
exit "$failed"
