#include "compute/cpu/life/life.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {
namespace {

struct TimedLoop {
  const WatchedCall& call;
  template <typename Int, typename Visit>
  void for_each_block(const LaunchShape& shape, const Visit& visit) const {
    cpu::for_each_block<Int>(shape, call, visit);
  }
};

}  // namespace

void step_life(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
               std::uint8_t* now, std::uint8_t* next, LifeRule rule, const WatchedCall& call) {
  step_life_by(method, fractal, tables, now, next, rule, TimedLoop{call});
}

}  // namespace loom::cpu
