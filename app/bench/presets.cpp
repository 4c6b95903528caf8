#include "app/bench/presets.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom::app::bench {

AxisTexts default_axes() {
  return {.fractal = "sierpinski-gasket",
          .level = "0..9",
          .map = "all",
          .arithmetic = "auto",
          .intra_block = "auto",
          .halo = "auto",
          .tiles = "auto",
          .block = "all",
          .workload = "life",
          .reduction = "warp",
          .backend = "auto"};
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"paper-lambda",
       "Bounding box against lambda, in its fastest form: gasket, levels 0 to 16, block sizes 1 to 32; "
       "single "
       "write, reduction and life",
       {.level = "0..16", .map = "bounding-box,lambda", .workload = "all"}},
      {"paper-tensor",
       "Forms of lambda: gasket, levels 0 to 16, block sizes 1 to 32; loop, shuffle, table and the three "
       "tensor-core variants; single write, reduction by warps and by tensor cores, and life",
       {.level = "0..16",
        .map = "lambda",
        .arithmetic = "loop,shuffle,table,tensor-1,tensor-2,tensor-3",
        .workload = "all",
        .reduction = "all"}},
      {"paper-compact",
       "Bounding box, lambda and compact, with and without tensor cores: gasket, levels 0 to 20, block sizes "
       "1 "
       "to 32, life; loop, table and tensor (lambda: tensor-1)",
       {.level = "0..20", .map = "all", .arithmetic = "loop,table,tensor,tensor-1"}},
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
