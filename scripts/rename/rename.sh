#!/usr/bin/env bash
# Renames identifiers and files to standard terms by the tables beside this script, and moves folders to the target tree
# of docs/architecture.md. Applied once to a clean checkout and then deleted with its folder:
#
#   scripts/rename/rename.sh && cmake --build --preset release
#
# A row of a table is "id OLD NEW GLOB" (whole words in C++ sources that match the git pathspec, string literals left alone)
# or "file OLD NEW". Tables named *-code-only leave comments alone. "# MANUAL" lines list what a script cannot do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bash scripts/rename/before.sh
tables=(compute workspaces-code-only workspaces app app-code-only)
python3 scripts/rename/rename.py . "${tables[@]/%/.tsv}"
git add -A
python3 scripts/rename/move.py .
bash scripts/rename/cmake.sh
bash scripts/rename/after.sh
git add -A
