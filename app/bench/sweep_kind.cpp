#include <array>

#include "app/bench/axes.h"
#include "compute/core/named_choice.h"

namespace loom::app::bench {

std::string_view name_of(SweepKind kind) {
  return kind == SweepKind::kMaps ? "maps" : "mandelbrot";
}

SweepKind parse_sweep_kind(std::string_view name) {
  return parse_choice("sweep", name, std::array{SweepKind::kMaps, SweepKind::kMandelbrot});
}

}  // namespace loom::app::bench
