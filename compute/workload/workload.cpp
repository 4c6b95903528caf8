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
  switch (reduction) {
    case ReductionMethod::kWarp:
      return "warp";
    case ReductionMethod::kTensor:
      return "tensor";
  }
  return "unknown";
}

ReductionMethod parse_reduction(std::string_view name) {
  return parse_choice("reduction", name, kReductionMethods);
}

}  // namespace loom
