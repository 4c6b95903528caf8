#pragma once

#include <array>
#include <string_view>

#include "compute/workload/game_of_life.h"

namespace loom {

/// The operation that every thread applies to its cell.
enum class Workload {
  kSingleWrite,  ///< writes one value that depends on the cell's coordinate: the least work that a map can
                 ///< carry
  kReduction,    ///< reads its cell and adds it to the sum over all cells
  kLife,         ///< reads its cell and its neighbours, and writes the next generation
};
inline constexpr std::array kWorkloads = {Workload::kSingleWrite, Workload::kReduction, Workload::kLife};

/// "single-write", "reduction", "life". `parse_workload` throws InputError with the list of names.
std::string_view name_of(Workload workload);
Workload parse_workload(std::string_view name);

/// The method that sums the values of a thread block. Both give the same integer.
enum class ReductionMethod {
  kWarp,    ///< shuffles within each warp, then one addition per warp
  kTensor,  ///< matrix products with a matrix of ones (on the CPU: emulated by plain sums)
};
inline constexpr std::array kReductionMethods = {ReductionMethod::kWarp, ReductionMethod::kTensor};

/// "warp", "tensor". `parse_reduction` throws InputError with the list of names.
std::string_view name_of(ReductionMethod reduction);
ReductionMethod parse_reduction(std::string_view name);

/// A workload with its parameters.
template <int kDimensions>
struct WorkOf {
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< for kReduction; in three dimensions by warps only
  LifeRuleOf<kDimensions> rule = {};                   ///< for kLife
  friend constexpr bool operator==(const WorkOf&, const WorkOf&) = default;
};
using Work = WorkOf<2>;
using SolidWork = WorkOf<3>;

}  // namespace loom
