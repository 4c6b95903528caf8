#include "app/bench/presets.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom::app::bench {

AxisTexts default_axes() {
  return {.fractal = "sierpinski-gasket",
          .level = "0..9",
          .map = "all",
          .arithmetic = "loop",
          .intra_block = "sub-box",
          .halo = "on",
          .block = "all",
          .workload = "life",
          .backend = "auto"};
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"paper-lambda",
       "Bounding box against lambda: gasket, levels 0 to 16, block sizes 1 to 32, life. The paper's single "
       "write and "
       "reduction are not among the workloads",
       {.level = "0..16", .map = "bounding-box,lambda"}},
      {"paper-compact",
       "Bounding box, lambda and compact: gasket, levels 0 to 20, block sizes 1 to 32, life; loop and table "
       "arithmetic, sub-box and lookup. The paper's tensor-core forms are not among the arithmetics",
       {.level = "0..20", .map = "all", .arithmetic = "loop,table", .intra_block = "sub-box,lookup"}},
  };
  return all;
}

const Preset& find_preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw InputError(fmt::format("unknown preset '{}'; allowed: {}", name, fmt::join(names, ", ")));
}

}  // namespace loom::app::bench
