#include "compute/engine/synchronous_frame.h"

#include <chrono>

namespace loom {

FrameReport run_synchronous_frame(FractalEngine& engine, const FrameRequest& request,
                                  ProgressMonitor* monitor) {
  const ProgressScope call(monitor, std::uint64_t{request.generations} + (request.viewport ? 1 : 0));
  FrameReport done;
  const auto start = std::chrono::steady_clock::now();
  done.edited = engine.edit(request.edits);
  done.edit_milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  call.part(request.generations, [&] { done.step = engine.run(request.generations, request.work); });
  done.cancelled = done.step.generations < request.generations;
  if (done.cancelled) return done;
  if (request.viewport) {
    try {
      call.part(1, [&] { done.resolve = engine.resolve(*request.viewport, request.space, done.image); });
    } catch (const OperationCancelled&) {
      done.cancelled = true;
      return done;
    }
  }
  if (request.probe) done.probed = engine.cell(*request.probe);
  return done;
}

}  // namespace loom
