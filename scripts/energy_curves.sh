#!/usr/bin/env bash
# Measures time and energy of Larger than Life against the radius: three maps and the countings of neighbours on the carpet at
# level 8 (16.8 million cells). Writes OUT/radius-R.json and OUT/curves.csv. About 200 s on a GPU.
# Usage: scripts/energy_curves.sh PROGRAM OUT [LEVEL]
set -euo pipefail
program=$1 out=$2 level=${3:-8}
mkdir -p "$out"
measure() {  # RADIUS RULE COUNTINGS
  "$program" bench --fractal sierpinski-carpet --level "$level" --block 27 --map bounding-box,lambda,compact --arithmetic table \
    --intra-block lookup --rule "$2" --density 0.4 --counting "$3" --max-seconds 0.3 --energy --force \
    --out "$out/radius-$1.json" --csv "$out/radius-$1.csv"
  awk -v radius="$1" 'NR == 1 { print "radius," $0; next } { print radius "," $0 }' "$out/radius-$1.csv" >> "$out/curves.csv.part"
  rm "$out/radius-$1.csv"
}
rm -f "$out/curves.csv.part"
measure 1 R1,C0,M1,S2..4,B2..3,NM direct,sums,bits,tensor
measure 2 R2,C0,M1,S7..12,B7..9,NM direct,sums,bits,tensor
measure 4 R4,C0,M1,S22..38,B22..29,NM direct,sums,bits,tensor
measure 8 R8,C0,M1,S80..138,B80..106,NM sums,bits,tensor
measure 16 R16,C0,M1,S304..522,B304..402,NM sums,bits,tensor
awk 'NR == 1 || !/^radius,/' "$out/curves.csv.part" > "$out/curves.csv"
rm "$out/curves.csv.part"
