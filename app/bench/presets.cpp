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

MandelbrotAxisTexts default_mandelbrot_axes() {
  return {.size = "1024",
          .method = "all",
          .scheme = "sbr",
          .ideas = "all",
          .g = "32",
          .r = "2",
          .b = "32",
          .dwell = "512",
          .precision = "float",
          .backend = "auto"};
}

const std::vector<MandelbrotPreset>& mandelbrot_presets() {
  static const std::vector<MandelbrotPreset> all = {
      {"paper-mandelbrot",
       "Exhaustive, DP and ASK by SBR and MBR, in the published form and with all ideas: n 1024 to 65536, "
       "window [-1.5, 0.5] x [-1, 1], dwell limit 512, g 32, r 2, B 32",
       {.size = "1024..65536", .scheme = "all", .ideas = "none,all"}},
      {"paper-landscape",
       "ASK by SBR in the published form over g, r and B, powers of two from 2 to 1024 with g r B up to n, "
       "beside exhaustive: n 4096",
       {.size = "4096",
        .method = "exhaustive,ask",
        .ideas = "none",
        .g = "2..1024",
        .r = "2..1024",
        .b = "2..1024"}},
  };
  return all;
}

namespace {

template <typename OneKind>
const OneKind* find_in(const std::vector<OneKind>& all, std::string_view name) {
  for (const OneKind& preset : all) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

InputError unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  for (const MandelbrotPreset& preset : mandelbrot_presets()) names.push_back(preset.name);
  return InputError(fmt::format("unknown preset '{}'; allowed: {}", name, fmt::join(names, ", ")));
}

}  // namespace

const Preset& find_preset(std::string_view name) {
  if (const Preset* preset = find_in(presets(), name)) return *preset;
  if (!is_mandelbrot_preset(name)) throw unknown(name);
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  throw InputError(fmt::format("preset '{}' is of the Mandelbrot set, not of maps; allowed: {}", name,
                               fmt::join(names, ", ")));
}

const MandelbrotPreset& find_mandelbrot_preset(std::string_view name) {
  if (const MandelbrotPreset* preset = find_in(mandelbrot_presets(), name)) return *preset;
  if (find_in(presets(), name) == nullptr) throw unknown(name);
  std::vector<std::string_view> names;
  for (const MandelbrotPreset& preset : mandelbrot_presets()) names.push_back(preset.name);
  throw InputError(fmt::format("preset '{}' is of maps, not of the Mandelbrot set; allowed: {}", name,
                               fmt::join(names, ", ")));
}

bool is_mandelbrot_preset(std::string_view name) {
  return find_in(mandelbrot_presets(), name) != nullptr;
}

}  // namespace loom::app::bench
