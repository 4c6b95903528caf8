#include "compute/cpu/life/life.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {
namespace {

struct TimedLoop {
  const ProgressScope& call;
  template <typename Int, typename Visit>
  void for_each_tile(const LaunchShape& shape, const Visit& visit) const {
    cpu::for_each_tile<Int>(shape, call, visit);
  }
};

}  // namespace

void step_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call) {
  step_life_by(method, fractal, tables, now, next, rule, TimedLoop{call});
}

}  // namespace loom::cpu
