#include "compute/cpu/life/record.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {
namespace {

struct RecordedLoop {
  const ProgressScope& call;
  RunRecorder& recorder;
  template <typename Int, typename Visit>
  void for_each_tile(const LaunchShape& shape, const Visit& visit) const {
    for_each_tile_recorded<Int>(shape, call, recorder, visit);
  }
};

}  // namespace

void record_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                 std::uint8_t* now, std::uint8_t* next, LifeRule rule, const ProgressScope& call,
                 RunRecorder& recorder) {
  step_life_by(method, fractal, tables, now, next, rule, RecordedLoop{call, recorder});
}

}  // namespace loom::cpu
