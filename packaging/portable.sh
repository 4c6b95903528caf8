#!/bin/sh
# Starts Fractal Loom from the folder that this file is in. --install-desktop adds its menu entry, icon and file types for this user,
# --remove-desktop removes them.
set -eu
here="$(dirname "$(readlink -f "$0")")"
id=org.fractal_loom.FractalLoom
data="${XDG_DATA_HOME:-$HOME/.local/share}"
entry="$data/applications/$id.desktop"
icon="$data/icons/hicolor/scalable/apps/$id.svg"
types="$data/mime/packages/$id.xml"

# Desktops read these databases; where a tool is missing, they read the files at the next login.
update() {
  if command -v update-desktop-database >/dev/null; then update-desktop-database "$data/applications" || true; fi
  if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" || true; fi
}

case "${1-}" in
--install-desktop)
  mkdir -p "$(dirname "$entry")" "$(dirname "$icon")" "$(dirname "$types")"
  # A path in Exec is quoted, and \, ", ` and $ in it are escaped twice: for the quotes and for the file.
  path="$(printf '%s' "$here/fractal-loom" | sed 's/[\\"`$]/\\&/g; s/\\/\\\\/g; s/%/%%/g')"
  while IFS= read -r line; do
    case "$line" in
    Exec=*) printf 'Exec="%s" %%f\n' "$path" ;;
    *) printf '%s\n' "$line" ;;
    esac
  done <"$here/share/applications/$id.desktop" >"$entry"
  cp "$here/share/icons/hicolor/scalable/apps/$id.svg" "$icon"
  cp "$here/share/mime/packages/$id.xml" "$types"
  update
  echo "$entry"
  ;;
--remove-desktop)
  rm -f "$entry" "$icon" "$types"
  update
  ;;
*)
  exec "$here/bin/fractal-loom" "$@"
  ;;
esac
