#!/bin/sh
# with_display.sh COMMAND [ARGUMENT...]: runs a command on a virtual display of its own and gives back its exit status.
# Unlike xvfb-run's, the server has its number by this process, so that none that is just ending takes its socket along,
# and does not reset (and refuse connections meanwhile) when a program closes its last window and opens another.
set -u
number=$(mktemp)
server=
trap '[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }; rm -f "$number"' EXIT
tries=0
wanted=$$
until [ -s "$number" ]; do
  # A server that finds its number taken ends.
  if [ -z "$server" ] || ! kill -0 "$server" 2>/dev/null; then
    Xvfb ":$((40000 + wanted % 19000))" -displayfd 3 -screen 0 "${LOOM_SCREEN:-1280x800x24}" -nolisten tcp -noreset \
      3>"$number" 2>/dev/null &
    server=$!
    wanted=$((wanted + 1))
  fi
  tries=$((tries + 1))
  if [ "$tries" -gt 1200 ]; then
    echo "with_display.sh: Xvfb did not start" >&2
    exit 3
  fi
  sleep 0.05
done
DISPLAY=":$(cat "$number")" "$@"
