#include "compute/distributed/process_group.h"

#include <fmt/format.h>

#include <cstdlib>

#include "compute/core/error.h"

namespace loom {

int ProcessGroup::started() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    if (const char* const text = std::getenv(variable)) return std::atoi(text);
  }
  return 1;
}

#ifndef LOOM_HAS_MPI
ProcessGroup* ProcessGroup::join() {
  if (started() <= 1) return nullptr;
  throw MachineError(fmt::format(
      "started as one of {} processes, but built without MPI; allowed: one process, or a build with MPI",
      started()));
}

void ProcessGroup::leave() {}

std::string ProcessGroup::library() {
  return {};
}
#endif

}  // namespace loom
