#include "compute/workload/workload.h"

#include <cmath>

#include "compute/core/input_text.h"
#include "compute/workload/random_start.h"

namespace loom {

std::string_view name_of(Workload workload) {
  return value_for<Workload::kLife>({"single-write", "reduction", "life"}, workload);
}

Workload parse_workload(std::string_view name) {
  return parse_choice("workload", name, kWorkloads);
}

std::string_view name_of(ReductionMethod reduction) {
  return value_for<ReductionMethod::kTensor>({"warp", "tensor"}, reduction);
}

ReductionMethod parse_reduction(std::string_view name) {
  return parse_choice("reduction", name, kReductionMethods);
}

std::uint64_t density_threshold(double density) {
  // u * 2^-53 and density * 2^53 are exact (scaling by a power of two only changes the exponent), so that u <
  // ceil(density * 2^53).
  return static_cast<std::uint64_t>(std::ceil(density * 9007199254740992.0));
}

}  // namespace loom
