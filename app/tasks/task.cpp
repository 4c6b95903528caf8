#include "app/tasks/task.h"

#include <new>
#include <stdexcept>

#include "compute/core/error.h"

namespace loom::app {

TaskFailure handled_failure(std::string_view out_of_memory) {
  try {
    throw;
  } catch (const OperationCancelled&) {
    return {.cancelled = true};
  } catch (const DeviceFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    return {.problem = std::string(out_of_memory)};
  } catch (const std::runtime_error& error) {  // InputError, MachineError
    return {.problem = error.what()};
  }
}

std::optional<TaskFailure> wait_for_end(Worker& worker, TaskTimeout timeout, std::string_view out_of_memory) {
  bool ended = true;
  TaskFailure failure = run_job(out_of_memory, [&] { ended = worker.wait_for(timeout); });
  if (!ended) return std::nullopt;
  return failure;
}

}  // namespace loom::app
