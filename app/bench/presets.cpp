#include "app/bench/presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compute/core/error.h"

namespace loom::app::bench {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"paper-lambda",
       "Bounding box and lambda in its fastest form: gasket, levels 0 to 16, tile sizes 1 to 32; single "
       "write, reduction and life",
       SweepKind::kMaps,
       {{"level", "0..16"}, {"map", "bounding-box,lambda"}, {"workload", "all"}}},
      {"paper-tensor",
       "Arithmetic of lambda: gasket, levels 0 to 16, tile sizes 1 to 32; loop, shuffle, table and the three "
       "tensor-core variants; single write, reduction by warps and by tensor cores, and life",
       SweepKind::kMaps,
       {{"level", "0..16"},
        {"map", "lambda"},
        {"arithmetic", "loop,shuffle,table,tensor-1,tensor-2,tensor-3"},
        {"workload", "all"},
        {"reduction", "all"}}},
      {"paper-compact",
       "Bounding box, lambda and compact, with and without tensor cores: gasket, levels 0 to 20, tile sizes "
       "1 to 32, life; loop, table and tensor (lambda: tensor-1)",
       SweepKind::kMaps,
       {{"level", "0..20"}, {"map", "all"}, {"arithmetic", "loop,table,tensor,tensor-1"}}},
      {"scaling",
       "Bit planes on one CUDA device up to all: gasket, levels 16 to 25, life, wall-clock time",
       SweepKind::kMaps,
       {{"level", "16..25"}, {"map", "compact"}, {"storage", "bits"}, {"block", "16"}, {"devices", "all"}}},
      {"paper-mandelbrot",
       "Exhaustive, DP and ASK with SBR and MBR, published form and all optimizations: n 1024 to 65536, "
       "window [-1.5, 0.5] x [-1, 1], dwell limit 512, g 32, r 2, B 32",
       SweepKind::kMandelbrot,
       {{"size", "1024..65536"}, {"scheme", "all"}, {"ideas", "none,all"}}},
      {"paper-landscape",
       "ASK-SBR in the published form over g, r and B (powers of two from 2 to 1024 with g r B up to n), and "
       "exhaustive: n 4096",
       SweepKind::kMandelbrot,
       {{"size", "4096"},
        {"method", "exhaustive,ask"},
        {"ideas", "none"},
        {"g", "2..1024"},
        {"r", "2..1024"},
        {"b", "2..1024"}}},
      {"deep-zoom",
       "Evaluators of the dwell against the depth: exhaustive, n 1024, dwell limit 4096, around the point i, "
       "whose surroundings look alike at every depth; widths 1e-2 to 1e-1000",
       SweepKind::kMandelbrot,
       {{"method", "exhaustive"},
        {"center", "0,1"},
        {"width", "1e-2,1e-4,1e-7,1e-10,1e-20,1e-30,1e-100,1e-280,1e-600,1e-1000"},
        {"dwell", "4096"},
        {"precision", "float,double,perturbed-float,perturbed-double,perturbed-wide-float,perturbed-wide"}}},
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
