#!/usr/bin/env bash
# Builds everything, installing first what is missing, and checks it: format, the plain reference on the CPU, the host
# tests under AddressSanitizer and UndefinedBehaviorSanitizer, all tests through CTest, and the readers under libFuzzer. Each part runs whatever
# became of the others; the last lines say which failed.
#
#   scripts/test.sh [--quick | --windows]     --quick: format, the program, host and command-line tests, and one window test
#                                             --windows: the program, if it is not built, and all window tests
set -euo pipefail
part_of=all
case "${1-}" in
  "") ;;
  --quick | --windows) part_of=$1 ;;
  *)
    echo "test.sh: unknown argument '$1' (choose --quick, --windows or nothing)" >&2
    exit 2
    ;;
esac
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
. scripts/setup.sh

if [ "$part_of" = --windows ]; then
  # Without MPI, whose installation would change the program.
  need_packages "${build_packages[@]}" "${window_test_packages[@]}"
else
  need_packages "${build_packages[@]}" "${test_packages[@]}"
fi
settings=(-DLOOM_TESTS=ON)
# What is compiled only once: larger units of tests take two thirds of the time, since most of what is compiled is headers.
if [ "${CI-}" = true ]; then
  settings+=(-DLOOM_TESTS_IN_A_UNIT=16)
fi

# On a machine that others use too, OpenMP threads that spin while they wait would take each other's cores.
export OMP_WAIT_POLICY=passive

outcomes=()
failed=0
# part NAME COMMAND...: runs the command and keeps its outcome.
part() {
  local name=$1
  shift
  say "$name"
  local begin=$SECONDS outcome=passed
  "$@" || { outcome=FAILED failed=1; }
  outcomes+=("$outcome  $name ($((SECONDS - begin)) s)")
  took $((SECONDS - begin)) "$name"
}

# Says which parts failed, and ends.
summary() {
  say "summary"
  printf '%s\n' "${outcomes[@]}"
  exit "$failed"
}

check_format() {
  # Other versions of clang-format lay the same style out differently.
  local version
  version="$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')"
  if [ "$version" != 14 ]; then
    say "skipped: the format is checked by clang-format 14, here is ${version:-none}"
    return 0
  fi
  find app compute render tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
}

# build_release TARGET...: without one, everything.
build_release() { configure release "${settings[@]}" && build release "$@"; }
# Left out with the sanitizers: the larger levels, which are the same code for longer.
larger='LargerLevels|OfLargeLevels|SeveralGenerations|BruteForceFinds|GoldenLife.*gasket_9'
# Of the tests that run with the sanitizers, these run without them too: golden hashes, check values, and deep zoom, whose loops
# over lanes the sanitizers do not see. verify compares every map of the optimized build with the reference.
also_optimized="$larger|Golden|CheckValue|DeepZoom|Allocation"
# Most fields of verify are too small for two threads: the compiler takes the core that they leave.
verify_beside_build() {
  local log=build/verify.txt status=0
  # Level 6 alone takes as long as all levels below it; scripts/gpu-check.sh and the default of verify include it.
  build/release/fractal-loom verify --backend cpu --level-max 5 >"$log" 2>&1 &
  local verify=$!
  { configure asan "${settings[@]}" && build asan host_tests render_host_tests cpu_tests; } || status=1
  wait "$verify" || status=1
  cat "$log"
  return "$status"
}
host_tests_sanitized() { ctest --preset asan -L "host|cpu" -E "$larger|^structure" -j "$(nproc)"; }
fuzz_readers() {
  # No compiler is installed for a quarter of a minute; scripts/fuzz.sh does, and fuzzes for as long as one likes.
  if ! command -v clang++ >/dev/null || ! compgen -G '/usr/lib/llvm*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*' >/dev/null; then
    say "skipped: no clang with libFuzzer here"
    return 0
  fi
  scripts/fuzz.sh 15
}
# One more at a time than there are cores, since a good part of them waits for a window or a process.
quick_tests() { ctest --preset release -R '^((host|cli)_tests|structure)[.]|^cli[.]|^ui[.]maps$' -j "$(($(nproc) + 1))"; }
# All but window tests, and but those of the libraries that have run with the sanitizers.
other_tests() {
  local status=0
  ctest --preset release -LE '^ui$' -E '^(host|cpu)_tests[.]' -j "$(($(nproc) + 1))" || status=1
  ctest --preset release -R "^(host|cpu)_tests[.].*($also_optimized)" -j "$(($(nproc) + 1))" || status=1
  return "$status"
}
# Window tests wait most of their time: two of them per core. One that fails among others gets one more try alone, and the summary
# names it: it depends on the machine's load.
window_tests() {
  ctest --preset release --label-regex '^ui$' -j "$(($(nproc) * 2))" && return 0
  local failures=build/release/Testing/Temporary/LastTestsFailed.log names
  if [ ! -s "$failures" ]; then return 1; fi
  names="$(cut -d: -f2 "$failures" | tr '\n' ' ')"
  say "once more, alone: $names"
  ctest --preset release --rerun-failed || return 1
  outcomes+=("failed at the first try, passed alone: $names")
}

if [ "$part_of" = --windows ]; then
  part "build" build_release fractal-loom window_test_helpers
  part "window tests" window_tests
  summary
fi
part "format" check_format
if [ "$part_of" = --quick ]; then
  part "build" build_release fractal-loom host_tests cli_tests window_test_helpers
  part "host and command-line tests, and a window" quick_tests
  summary
fi
part "build" build_release
part "verify: every map and block size against the plain reference; build with sanitizers" verify_beside_build
part "host tests with ASan and UBSan" host_tests_sanitized
part "all other tests" other_tests
part "window tests" window_tests
part "fuzz: a quarter of a minute" fuzz_readers

summary
