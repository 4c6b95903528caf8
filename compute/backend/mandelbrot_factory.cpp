#include "compute/backend/mandelbrot_factory.h"

#include "compute/cpu/mandelbrot/cpu_mandelbrot_engine.h"
#include "compute/cpu/thread_pool.h"
#ifdef LOOM_HAS_CUDA
#include "compute/backend/cuda_backend.h"
#endif

namespace loom {

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_mandelbrot_engine(backend.device);
#endif
  static_cast<void>(backend);
  cpu::make_pool();
  return std::make_unique<cpu::CpuMandelbrotEngine>();
}

MandelbrotIdeas fastest_ideas(BackendKind backend) {
  MandelbrotIdeas ideas;
  ideas.periodicity = backend == BackendKind::kCpu;
  return ideas;
}

}  // namespace loom
