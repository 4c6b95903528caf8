#include "app/bench/workload.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom::app::bench {

std::string_view name_of(Workload workload) {
  switch (workload) {
    case Workload::kLife:
      return "life";
  }
  return "unknown";
}

Workload parse_workload(std::string_view name) {
  for (Workload workload : kWorkloads) {
    if (name_of(workload) == name) return workload;
  }
  throw InputError(fmt::format("unknown workload '{}'; allowed: life", name));
}

}  // namespace loom::app::bench
