#!/usr/bin/env bash
# Checks a build on a machine with an NVIDIA GPU: CUDA and interop tests, verify, compute-sanitizer, and a timing of the
# three maps; writes one JSON result. Needs the built programs in BUILD_DIR (default build/release), python3 and, for
# its part, compute-sanitizer; builds nothing. Options: scripts/gpu-check.sh --help
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/gpu_check.py" "$@"
