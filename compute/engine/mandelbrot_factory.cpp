#include "compute/engine/mandelbrot_factory.h"

#include <fmt/format.h>

#include "compute/core/byte_text.h"
#include "compute/core/integer_math.h"
#include "compute/cpu/mandelbrot/cpu_mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#ifdef LOOM_HAS_CUDA
#include "compute/cuda/cuda_backend.h"
#endif

namespace loom {

std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend) {
#ifdef LOOM_HAS_CUDA
  if (backend.kind == BackendKind::kCuda) return cuda::make_mandelbrot_engine(backend.device);
#endif
  static_cast<void>(backend);
  return std::make_unique<cpu::CpuMandelbrotEngine>();
}

MandelbrotIdeas fastest_ideas(BackendKind backend) {
  MandelbrotIdeas ideas;
  ideas.periodicity = backend == BackendKind::kCpu;
  return ideas;
}

std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view,
                           MandelbrotEngine::Regions regions) {
  const std::uint64_t dwell_bytes = config.ideas.narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
  std::uint64_t bytes = saturating_multiply(view.pixels(), dwell_bytes);
  if (config.method == MandelbrotMethod::kExhaustive) return bytes;
  const Subdivision cut = make_subdivision(config, view);
  const OltCapacity olts = olt_capacity(cut);
  const bool ask = config.method == MandelbrotMethod::kAsk;
  if (ask || config.ideas.join) bytes += (olts.even + olts.odd) * sizeof(Coord32);
  if (ask && config.scheme == RegionScheme::kMbr) bytes += most_jobs(cut) * sizeof(RegionJob);
  if (regions == MandelbrotEngine::Regions::kList) bytes += most_regions(cut) * sizeof(MandelbrotRegion);
  return bytes;
}

CapacityError does_not_fit(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available) {
  return CapacityError(fmt::format("{} x {} pixels with their tables need {}, free are {}", view.width,
                                   view.height, with_units(needed), with_units(available)),
                       needed, available);
}

void check_rows(const MandelbrotView& view, std::uint32_t first_row, std::size_t dwells) {
  const std::uint64_t rows = dwells / view.width;
  if (dwells % view.width == 0 && first_row <= view.height && rows <= view.height - first_row) return;
  throw InputError(fmt::format("{} dwells from row {} are not rows of {} x {}", dwells, first_row, view.width,
                               view.height));
}

}  // namespace loom
