#include "compute/workload/workload.h"

#include "compute/core/input_text.h"

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

}  // namespace loom
