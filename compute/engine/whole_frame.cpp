#include "compute/engine/whole_frame.h"

#include <chrono>

namespace loom {

FrameReport whole_frame(FractalEngine& engine, const FrameWish& wish, Watch* watch) {
  const WatchedCall call(watch, std::uint64_t{wish.generations} + (wish.viewport ? 1 : 0));
  FrameReport done;
  const auto start = std::chrono::steady_clock::now();
  done.edited = engine.edit(wish.edits);
  done.edit_milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  call.part(wish.generations, [&] { done.step = engine.run(wish.generations, wish.work); });
  done.cancelled = done.step.generations < wish.generations;
  if (done.cancelled) return done;
  if (wish.viewport) {
    try {
      call.part(1, [&] { done.resolve = engine.resolve(*wish.viewport, wish.space, done.image); });
    } catch (const Cancelled&) {
      done.cancelled = true;
      return done;
    }
  }
  if (wish.probe) done.probed = engine.cell(*wish.probe);
  return done;
}

}  // namespace loom
