#include "compute/cpu/life/record.h"

#include "compute/cpu/life/life_step.h"

namespace loom::cpu {
namespace {

struct RecordedLoop {
  const WatchedCall& call;
  RunRecorder& recorder;
  template <typename Int, typename Visit>
  void for_each_block(const LaunchShape& shape, const Visit& visit) const {
    for_each_block_recorded<Int>(shape, call, recorder, visit);
  }
};

}  // namespace

void record_life(const MapMethod& method, const BlockedFractal& fractal, const MapTables& tables,
                 std::uint8_t* now, std::uint8_t* next, LifeRule rule, const WatchedCall& call,
                 RunRecorder& recorder) {
  step_life_by(method, fractal, tables, now, next, rule, RecordedLoop{call, recorder});
}

}  // namespace loom::cpu
