#!/bin/sh
# kernel_count.sh LIBRARY MOST: fails where LIBRARY holds more than MOST kernels of the thread maps, or none that can be
# found. Each is compiled once for every architecture, and one more template argument multiplies them.
found=$(strings -n 20 "$1" | grep '^\.nv\.constant0\.' |
  grep -E '_(life_compact|life_expanded|reduction|single_write)_cu_' | sort -u | wc -l)
echo "$found kernels, of 1 to $2 that are allowed"
[ "$found" -ge 1 ] && [ "$found" -le "$2" ]
