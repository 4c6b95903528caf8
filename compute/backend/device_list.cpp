#include "compute/backend/device_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "compute/core/error.h"

namespace loom {

std::vector<int> read_device_numbers(std::string_view text, const std::vector<int>& there) {
  if (text == "all") return there;
  const std::string allowed = fmt::format("all, or a list of {} without spaces", fmt::join(there, ", "));
  std::vector<int> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = rest.substr(0, comma);
    int number = -1;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), number);
    if (error != std::errc{} || end != one.data() + one.size() || number < 0)
      throw InputError(fmt::format("'{}' is not a list of devices; allowed: {}", text, allowed));
    if (std::ranges::find(there, number) == there.end())
      throw InputError(fmt::format("there is no CUDA device {}; allowed: {}", number, allowed));
    if (std::ranges::find(numbers, number) != numbers.end()) {
      throw InputError(fmt::format("device {} is listed twice; allowed: {}", number, allowed));
    }
    numbers.push_back(number);
    if (comma == rest.size()) return numbers;
    rest.remove_prefix(comma + 1);
  }
}

int device_of_rank(const ProcessGroup& ranks) {
  const std::size_t devices = cuda_status().devices.size();
  return devices == 0 ? 0 : ranks.local_rank() % static_cast<int>(devices);
}

namespace {

std::vector<BackendSelection> parts_of_cpu(std::string_view text) {
  int parts = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parts);
  if (error != std::errc{} || end != text.data() + text.size() || parts < 1 || parts > kMaxCpuPartitions) {
    throw InputError(fmt::format(
        "'{}': the CPU backend is one device; allowed: 1 to {} partitions of it, or --backend cuda "
        "or auto",
        text, kMaxCpuPartitions));
  }
  std::vector<BackendSelection> devices;
  for (int part = 0; part < parts; ++part) devices.push_back({BackendKind::kCpu, part, "selected"});
  return devices;
}

}  // namespace

std::vector<int> devices_from(const BackendSelection& first, const CudaStatus& cuda,
                              const std::vector<int>& named) {
  std::vector<int> devices = {first.device};
  const auto add = [&](int device) {
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  };
  if (first.kind == BackendKind::kCpu) {
    for (int part = 1; part < kMaxCpuPartitions; ++part) add(part);
  } else if (!named.empty()) {
    for (const int device : named) add(device);
  } else {
    for (const DeviceInfo& info : cuda.devices) add(info.ordinal);
  }
  return devices;
}

BackendSelection distribute_over(const BackendSelection& first, const std::vector<int>& devices,
                                 std::size_t count) {
  BackendSelection all{first.kind, first.device, first.reason};
  const std::size_t last = std::min(std::max<std::size_t>(count, 1), devices.size());
  for (std::size_t i = 1; i < last; ++i) all.others.push_back(devices[i]);
  return all;
}

bool is_distributed_over(const BackendSelection& shared, const BackendSelection& first,
                         const std::vector<int>& devices, std::size_t count) {
  const std::size_t last = std::min(std::max<std::size_t>(count, 1), devices.size());
  const auto others = std::span(devices).first(last).subspan(std::min<std::size_t>(1, last));
  return shared.kind == first.kind && shared.device == first.device &&
         std::ranges::equal(shared.others, others);
}

std::vector<BackendSelection> read_devices(std::string_view text, BackendChoice backend) {
  if (backend == BackendChoice::kCpu) return parts_of_cpu(text);
  const CudaStatus status = cuda_status();
  std::vector<int> there;
  for (const DeviceInfo& info : status.devices) there.push_back(info.ordinal);
  if (there.empty()) {
    throw MachineError(
        fmt::format("no CUDA device ({}); allowed: --backend cpu, where --devices is a number of partitions",
                    status.reason));
  }
  std::vector<BackendSelection> devices;
  for (const int number : read_device_numbers(text, there))
    devices.push_back({BackendKind::kCuda, number, "selected"});
  return devices;
}

}  // namespace loom
