#include "compute/cpu/life/life.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {
namespace {

struct TileLoop {
  const ProgressScope& call;
  RunRecorder* recorder;
  template <typename Int, typename Visit>
  void for_each_tile(const LaunchShape& shape, const Visit& visit) const {
    cpu::for_each_tile<Int>(shape, call, visit, recorder);
  }
};

}  // namespace

void step_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
               RunRecorder* recorder) {
  if (rule.is_larger()) return step_larger_life(method, fractal, tables, now, next, rule, call, recorder);
  with_states(rule, [&](const auto& of) {
    with_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
      life_step(map, storage, method.halo, ByteCells{now}, ByteCells{next}, of, TileLoop{call, recorder});
    });
  });
}

}  // namespace loom::cpu
