#include "app/tasks/task.h"

#include <new>
#include <stdexcept>

#include "compute/core/error.h"

namespace loom::app {

std::optional<TaskFailure> wait_for_end(Worker& worker, TaskTimeout timeout,
                                        const std::string& out_of_memory) {
  try {
    if (!worker.wait_for(timeout)) return std::nullopt;
    return TaskFailure{};
  } catch (const OperationCancelled&) {
    return TaskFailure{.cancelled = true};
  } catch (const DeviceFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    return TaskFailure{.problem = out_of_memory};
  } catch (const std::runtime_error& error) {  // InputError, MachineError
    return TaskFailure{.problem = error.what()};
  }
}

}  // namespace loom::app
