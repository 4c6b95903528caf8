#pragma once

#include <array>
#include <string_view>

#include "compute/workload/game_of_life.h"

namespace loom {

/// What every thread does with its cell.
enum class Workload {
  kSingleWrite,  ///< writes one value that depends on where the cell lies: the least work a map can carry
  kReduction,    ///< reads its cell; the sum over all cells is formed
  kLife,         ///< reads its cell and the eight around it, and writes the next generation
};
inline constexpr std::array kWorkloads = {Workload::kSingleWrite, Workload::kReduction, Workload::kLife};

/// "single-write", "reduction", "life". `parse_workload` throws InputError that lists them.
std::string_view name_of(Workload workload);
Workload parse_workload(std::string_view name);

/// How the values of a thread block are summed. Both give the same integer.
enum class ReductionMethod {
  kWarp,    ///< shuffles within each warp, then one addition a warp
  kTensor,  ///< matrix products with a matrix of ones (on the CPU: emulated by plain sums)
};
inline constexpr std::array kReductionMethods = {ReductionMethod::kWarp, ReductionMethod::kTensor};

/// "warp", "tensor". `parse_reduction` throws InputError that lists them.
std::string_view name_of(ReductionMethod reduction);
ReductionMethod parse_reduction(std::string_view name);

/// A workload with its parameters.
struct Work {
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< of a reduction
  LifeRule rule = {};                                  ///< of life
  friend constexpr bool operator==(const Work&, const Work&) = default;
};

}  // namespace loom
