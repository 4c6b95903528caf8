#!/usr/bin/env bash
# Measures time and energy of Larger than Life against the radius: three maps and the countings of neighbours on the carpet at
# level 8 (16.8 million cells), and bit-packed storage. Writes OUT/radius-R.json, OUT/bits-R.json and OUT/curves.csv. About 260 s on a GPU.
# Usage: scripts/energy_curves.sh PROGRAM OUT [LEVEL]
set -euo pipefail
program=$1 out=$2 level=${3:-8}
mkdir -p "$out"
sweep() {  # NAME RADIUS RULE OPTIONS...
  local name=$1 radius=$2 rule=$3
  shift 3
  "$program" bench --fractal sierpinski-carpet --level "$level" --rule "$rule" --density 0.4 --max-seconds 0.3 --energy --force \
    --out "$out/$name-$radius.json" --csv "$out/sweep.csv" "$@"
  awk -v radius="$radius" 'NR == 1 { print "radius," $0; next } { print radius "," $0 }' "$out/sweep.csv" >> "$out/curves.csv.part"
  rm "$out/sweep.csv"
}
measure() {  # RADIUS RULE COUNTINGS
  sweep radius "$1" "$2" --block 27 --map bounding-box,lambda,compact --storage bytes --arithmetic table --intra-block lookup --counting "$3"
  sweep bits "$1" "$2" --block 27 --map bounding-box,compact --storage bits
}
rm -f "$out/curves.csv.part"
measure 1 R1,C0,M1,S2..4,B2..3,NM direct,sums,bits,tensor
measure 2 R2,C0,M1,S7..12,B7..9,NM direct,sums,bits,tensor
measure 4 R4,C0,M1,S22..38,B22..29,NM direct,sums,bits,tensor
measure 8 R8,C0,M1,S80..138,B80..106,NM sums,bits,tensor
measure 16 R16,C0,M1,S304..522,B304..402,NM sums,bits,tensor
awk 'NR == 1 || !/^radius,/' "$out/curves.csv.part" > "$out/curves.csv"
rm "$out/curves.csv.part"
