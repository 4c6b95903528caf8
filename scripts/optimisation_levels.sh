#!/usr/bin/env bash
# Builds the CPU backend at -O0 to -O3, for the least x86-64, with AVX2 and with the vector widths that are picked when the
# program starts, and compares what they compute, hash by hash: optimisation_levels.sh [FOLDER]. Takes some minutes of
# each core; JOBS and CXX may be set. Exit status 1 where any line differs.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
folder="${1:-build/optimisation_levels}"
export CXX="${CXX:-g++}"
mapfile -t sources < <(find compute -name '*.cpp' -not -path 'compute/cuda/*' -not -name cuda_backend.cpp | sort)
sources+=(tests/determinism/hashes.cpp)

# NAME FLAGS: one build, run.
build() {
  local name="$1"
  shift
  mkdir -p "$folder/$name"
  export FLAGS="-std=c++20 -ffp-contract=off -DNDEBUG -DFMT_HEADER_ONLY -fopenmp -w -I. $*" INTO="$folder/$name"
  # shellcheck disable=SC2016
  printf '%s\n' "${sources[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} \
    sh -c '$CXX $FLAGS -c "$1" -o "$INTO/$(echo "$1" | tr / _).o"' sh {}
  "$CXX" -fopenmp "$folder/$name"/*.o -o "$folder/$name/hashes"
  "$folder/$name/hashes" > "$folder/$name.txt"
  echo "$name: $(sha256sum < "$folder/$name.txt" | cut -c1-16), $(wc -l < "$folder/$name.txt") lines ($*)"
}

one=-DLOOM_ONE_VECTOR_WIDTH
build O0 -O0 "$one"
build O1 -O1 "$one"
build O2 -O2 "$one"
build O3 -O3 "$one"
build O3-widths -O3
if grep -q avx2 /proc/cpuinfo; then
  build O2-avx2 -O2 "$one" -march=x86-64-v3
  build O3-avx2 -O3 "$one" -march=x86-64-v3
fi
status=0
for other in "$folder"/*.txt; do
  diff "$folder/O0.txt" "$other" || status=1
done
[ "$status" = 0 ] && echo "all the same, by $("$CXX" --version | head -1)" || echo "they differ"
exit "$status"
