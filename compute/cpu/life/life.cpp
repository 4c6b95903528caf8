#include "compute/cpu/life/life.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {

void step_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
               RunRecorder* recorder) {
  with_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    life_step(map, storage, method.halo, ByteCells{now}, ByteCells{next}, rule, call, recorder);
  });
}

}  // namespace loom::cpu
