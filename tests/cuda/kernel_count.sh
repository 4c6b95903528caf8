#!/bin/sh
# kernel_count.sh LIBRARY MOST: fails where LIBRARY holds more than MOST kernels of the thread maps, or none that can be
# found. Each is compiled once for every architecture, and one more template argument multiplies them.
# By the names that the host's code registers: the device's own may be compressed.
files='life_compact|life_expanded|reduction|single_write'
found=$(strings -n 20 "$1" | grep -v -e __device_stub__ -e '[.]cold$' |
  grep -E "^_ZN4loom4cuda[0-9]+_GLOBAL__N__[0-9a-f]+_[0-9]+_($files)_cu_[0-9a-f]{8}[0-9]+(life|reduction|single|add)_" |
  sort -u | wc -l)
echo "$found kernels, of 1 to $2 that are allowed"
[ "$found" -ge 1 ] && [ "$found" -le "$2" ]
