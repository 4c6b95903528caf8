// Prints hashes of the results of the CPU backend, one per line. They must not depend on compiler options,
// see scripts/optimisation_levels.sh. The thread count is not fixed.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/check/verification.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// FNV-1a over integers instead of bytes.
class Hash {
 public:
  void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }
  template <typename Value>
  void add_all(const Value* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(values[i]);
  }
  void print(const std::string& of) const {
    std::printf("%016llx  %s\n", static_cast<unsigned long long>(hash_), of.c_str());
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

void life(const BackendSelection& cpu) {
  for (const NbbFractal& fractal : catalog()) {
    int level = 0;
    while (level < fractal.max_level() && fractal.cells(level + 1) <= 7000) ++level;
    // Other tests check that all methods agree; this program prints the values.
    Hash states;
    Hash pictures;
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kMaps)) {
      const auto engine = make_fractal_engine(config, cpu);
      engine->reset({5, 0.45});
      engine->step(20, parse_rule("B3/S23"));
      engine->step(5, LifeRule{});
      const Census census = engine->census();
      states.add(census.hash);
      states.add(census.population);
      Viewport view{{}, {}};
      for (std::int64_t i = 0; i <= 90; ++i) view.x_edges.push_back(i * 7 / 3);
      for (std::int64_t i = 0; i <= 70; ++i) view.y_edges.push_back(i * 11 / 2);
      ImageView image;
      engine->resolve(view, MemorySpace::kHost, image);
      pictures.add_all(static_cast<const std::uint16_t*>(image.pixels), std::size_t{90} * 70);
      states.add(engine->run(2, {.workload = Workload::kReduction}).sum);
    }
    states.print("life " + fractal.name() + " level " + std::to_string(level));
    pictures.print("picture " + fractal.name());
  }
}

void mandelbrot(const BackendSelection& cpu) {
  const auto engine = make_mandelbrot_engine(cpu);
  for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
    for (const MandelbrotMethod method :
         {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
      for (const bool plain : {true, false}) {
        MandelbrotConfig config{
            .method = method, .g = 4, .r = 2, .b = 8, .dwell_limit = 300, .precision = precision};
        if (plain) config.optimisations = kNoOptimisations;
        const MandelbrotView view{.window = {-1.26, -1.24, 0.01, 0.03}, .width = 160, .height = 120};
        Hash dwells;
        for (const MandelbrotView& of : {view, MandelbrotView{.window = {}, .width = 200, .height = 160}}) {
          engine->compute(config, of);
          std::vector<std::uint32_t> all(of.pixels());
          engine->read_dwells(0, all);
          dwells.add_all(all.data(), all.size());
          engine->compute_smooth();
          const ImageView smooth = engine->smooth_image(MemorySpace::kHost);
          dwells.add_all(static_cast<const std::uint32_t*>(smooth.pixels), all.size());
        }
        dwells.print("mandelbrot " + std::string(name_of(method)) + " " + std::string(name_of(precision)) +
                     (plain ? " plain" : " fastest"));
      }
    }
  }
  for (const FormulaRow& row : kFormulas) {
    const MandelbrotView view{.window = {-1.6, 1.6, -1.2, 1.2}, .width = 120, .height = 90};
    engine->compute({.set = {row.formula, 5, JuliaPoint{-0.8, 0.156}}, .g = 4, .dwell_limit = 200}, view);
    std::vector<std::uint32_t> julia(view.pixels());
    engine->read_dwells(0, julia);
    Hash of_julia;
    of_julia.add_all(julia.data(), julia.size());
    of_julia.print("Julia set of " + std::string(row.name));
  }
}

}  // namespace
}  // namespace loom

int main() {
  const loom::BackendSelection cpu = loom::select_backend(loom::BackendChoice::kCpu);
  loom::life(cpu);
  loom::mandelbrot(cpu);
  return 0;
}
