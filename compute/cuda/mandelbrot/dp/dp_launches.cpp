#include "compute/cuda/mandelbrot/dp/dp_launches.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/region/region_steps.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {
namespace {

/// The numbers of pending launches from the device; the runtime's default limit is 2048. The first value is
/// reserved initially, and it is multiplied by four whenever a computation needs more, up to the maximum.
constexpr std::size_t kPendingLaunches = std::size_t{1} << 16;
constexpr std::size_t kMaxPendingLaunches = std::size_t{1} << 22;

std::size_t pending_launches() {
  std::size_t limit = 0;
  LOOM_CUDA(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  return limit;
}

void raise_pending_launches(std::size_t launches) {
  const cudaError_t status = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw MachineError(
      fmt::format("dynamic parallelism: {} pending launches could not be reserved: {} ({}); "
                  "allowed: the ask method",
                  launches, cudaGetErrorName(status), cudaGetErrorString(status)));
}

}  // namespace

void DpLaunches::make_room() {
  if (pending_launches() < kPendingLaunches) raise_pending_launches(kPendingLaunches);
}

bool DpLaunches::make_more_room(int launch_error) {
  if (launch_error != static_cast<int>(cudaErrorLaunchPendingCountExceeded)) return false;
  const std::size_t limit = pending_launches();
  if (limit >= kMaxPendingLaunches) return false;
  raise_pending_launches(4 * limit);
  return true;
}

void DpLaunches::throw_failed(int launch_error) {
  const auto error = static_cast<cudaError_t>(launch_error);
  throw MachineError(
      fmt::format("dynamic parallelism: a launch from the device failed: {} ({}); at most {} can "
                  "be pending; allowed: fewer regions (smaller g, larger B), or the ask method",
                  cudaGetErrorName(error), cudaGetErrorString(error), kMaxPendingLaunches));
}

DpState DpLaunches::begin(const Subdivision& cut, const DpRoots& roots, bool joined,
                          Coord32* const (&tables)[2], int* launch_error, unsigned long long* launches,
                          const Stream& stream) const {
  DpState state;
  state.launches = launches;
  state.launch_error = launch_error;
  state.first_places = roots.places;
  state.first_count = static_cast<std::uint32_t>(roots.count);
  state.first_level = roots.level;
  if (!joined) return state;
  state.tables[0] = tables[0];
  state.tables[1] = tables[1];
  const OltCapacity capacity = olt_capacity(cut, true);
  const std::uint64_t chains = std::uint64_t{cut.first_parts} * cut.first_parts;
  state.chain_regions[0] = capacity.even / chains;
  state.chain_regions[1] = capacity.odd / chains;
  state.chains = chains_.data();
  LOOM_CUDA(cudaMemsetAsync(state.chains, 0, cut.first_regions() * sizeof(DpState::Chain), stream.get()));
  return state;
}

template <typename Evaluator, typename Dwell>
void DpLaunches::enqueue(const DwellTask<Evaluator, Dwell>& task, const DpState& state, const DpRoots& roots,
                         BlockShape block, const DwellSlices& slices, const Stream& stream) {
  const auto compute = [&](const DpState& part) {
    if (slices.custom == nullptr)
      return LOOM_CUDA(compute_by_dynamic_parallelism(task, part, block, stream.get()));
    // Its first grid is launched from the device.
    void (*const kernel)(DwellTask<Evaluator, Dwell>, DpState, dim3, dim3) = nullptr;
    launch_on_task(slices, "loom_dp", kernel, 1, 1, stream, task, part, first_blocks(task.cut, part),
                   dim3(block.x, block.y));
  };
  if (roots.places == nullptr) {
    compute(state);
    slices.note_launch();
    return;
  }
  const std::uint64_t steps = steps_of_tree(task.cut, roots.level, task.steps, block, slices);
  slices.each(roots.count, steps, [&](std::uint64_t first, std::uint64_t end) {
    DpState part = state;  // its roots count from 0
    part.first_places += first;
    part.first_count = static_cast<std::uint32_t>(end - first);
    if (part.chains != nullptr) {
      part.chains += first;
      for (int i : {0, 1}) part.tables[i] += first * part.chain_regions[i];
    }
    compute(part);
  });
}

#define LOOM_INSTANTIATE(Evaluator, Dwell)                                                              \
  template void DpLaunches::enqueue(const DwellTask<Evaluator, Dwell>&, const DpState&, const DpRoots&, \
                                    BlockShape, const DwellSlices&, const Stream&);
LOOM_INSTANTIATE(Direct<float>, std::uint16_t)
LOOM_INSTANTIATE(Direct<float>, std::uint32_t)
LOOM_INSTANTIATE(Direct<double>, std::uint16_t)
LOOM_INSTANTIATE(Direct<double>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint32_t)
using PerturbedFloat = Perturbed<float, false>;
using PerturbedDouble = Perturbed<double, false>;
using WideFloat = Perturbed<float, true>;
using WideDouble = Perturbed<double, true>;
using EstimatedDouble = Perturbed<double, false, true>;
using EstimatedWide = Perturbed<double, true, true>;
LOOM_INSTANTIATE(PerturbedFloat, std::uint32_t)
LOOM_INSTANTIATE(PerturbedDouble, std::uint32_t)
LOOM_INSTANTIATE(WideFloat, std::uint32_t)
LOOM_INSTANTIATE(WideDouble, std::uint32_t)
LOOM_INSTANTIATE(EstimatedDouble, std::uint32_t)
LOOM_INSTANTIATE(EstimatedWide, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
