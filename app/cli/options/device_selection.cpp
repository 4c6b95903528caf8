#include "app/cli/options/device_selection.h"

#include <limits>

#include "app/cli/options/read_number.h"
#include "compute/backend/distributed_factory.h"
#include "compute/core/error.h"

namespace loom::app {

int read_device(const std::optional<std::string>& typed, BackendChoice backend) {
  if (!typed) return 0;
  const auto device =
      static_cast<int>(read_whole_number("--device", *typed, 0, std::numeric_limits<int>::max()));
  if (backend == BackendChoice::kCpu)
    throw InputError("--device selects a CUDA device; allowed: without --backend cpu");
  return device;
}

std::vector<int> DeviceSelection::numbers() const {
  std::vector<int> numbers;
  for (const Device& device : several) numbers.push_back(device.ordinal);
  return numbers;
}

DeviceSelection select_devices(BackendChoice backend, int device, bool named,
                               const std::optional<std::string>& devices, const ProcessGroup* ranks) {
  if (ranks != nullptr) {
    if (devices)
      throw InputError(
          "--devices is for one process; allowed: --device, or none (each process uses one device)");
    if (named || backend == BackendChoice::kCpu) return {select_backend(backend, device)};
    return {select_backend(backend, device_of_rank(*ranks))};
  }
  if (!devices) return {select_backend(backend, device)};
  if (named) throw InputError("--device and --devices exclude each other; allowed: one of them");
  DeviceSelection chosen{.several = read_devices(*devices, backend)};
  chosen.backend = {chosen.several.front(), "selected"};
  return chosen;
}

}  // namespace loom::app
