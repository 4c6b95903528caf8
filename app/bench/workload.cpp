#include "app/bench/workload.h"

#include "compute/core/named_choice.h"

namespace loom::app::bench {

std::string_view name_of(Workload workload) {
  switch (workload) {
    case Workload::kLife:
      return "life";
  }
  return "unknown";
}

Workload parse_workload(std::string_view name) {
  return parse_choice("workload", name, kWorkloads);
}

}  // namespace loom::app::bench
