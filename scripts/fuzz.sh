#!/usr/bin/env bash
# Fuzzes the readers of files: fuzz.sh SECONDS, of a core's time and shared by the targets. The seeds are tests/fuzz/corpus; what is found on the
# way is kept in build/fuzz/corpus for the next run, and an input that fails in build/fuzz/TARGET-…: add it to the seeds
# when it is mended.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
. scripts/setup.sh
seconds="${1:?the number of seconds, for instance 600}"

need_packages "${build_packages[@]}" clang
configure fuzz && build fuzz
targets=(fractal_file results lesson scene png_text pattern place palette map)

# fuzz TARGET: what it says in one piece, since as many run at once as there are cores.
fuzz() {
  local target=$1 status=0 said
  mkdir -p "build/fuzz/corpus/$target"
  # A reader's own limit is a megabyte; what is found there is found in a tenth of it, and sooner.
  said="$("build/fuzz/fuzz_$target" -max_total_time="$seconds_each" -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
    -dict=tests/fuzz/words.dict -print_final_stats=1 -verbosity=0 -print_funcs=0 "-artifact_prefix=build/fuzz/$target-" \
    "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" 2>&1)" || status=1
  say "$target"
  grep -Ev '^(INFO|stat::(new|average|peak|slow))' <<<"$said"
  return "$status"
}
export -f fuzz say
# Rounded up: libFuzzer takes 0 as no limit.
export seconds_each=$(((seconds + ${#targets[@]} - 1) / ${#targets[@]}))
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I TARGET bash -c 'fuzz TARGET'
