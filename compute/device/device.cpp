#include "compute/device/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {

BackendChoice parse_backend(std::string_view name) {
  constexpr std::array kChoices = {BackendChoice::kAuto, BackendChoice::kCuda, BackendChoice::kCpu};
  return parse_choice("backend", name, kChoices);
}

std::string_view name_of(BackendChoice choice) {
  return value_for<BackendChoice::kCpu>({"auto", "cuda", "cpu"}, choice);
}

std::string_view name_of(BackendKind kind) {
  return name_of(choice_of(kind));
}

BackendChoice choice_of(BackendKind kind) {
  return kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
}

Device cuda_device(int ordinal, std::string name) {
  return {.name = std::move(name),
          .kind = BackendKind::kCuda,
          .ordinal = ordinal,
          .on_host = false,
          .works_ahead = true,
          .warps = true,
          .tensor_cores = true,
          .dynamic_parallelism = true,
          .interop = true,
          .simulated_devices = 0};
}

int cores_of_multiprocessor(int compute_major, int compute_minor) {
  const bool first_of_its_generation = compute_minor == 0 && (compute_major == 6 || compute_major == 8);
  return compute_major == 7 || first_of_its_generation ? 64 : 128;
}

BackendSelection first_device(const BackendSelection& backend) {
  return {backend.device, backend.reason};
}

std::vector<Device> each_device(const BackendSelection& backend) {
  std::vector<Device> devices = {backend.device};
  devices.insert(devices.end(), backend.others.begin(), backend.others.end());
  return devices;
}

BackendSelection select_backend(BackendChoice choice, int device) {
  if (device < 0) throw InputError(fmt::format("device {} is not allowed; allowed: 0 and above", device));
  if (choice == BackendChoice::kCpu) return {{}, "selected"};
  const CudaStatus status = cuda_status();
  for (const Device& one : status.devices) {
    if (one.ordinal == device)
      return {one, choice == BackendChoice::kCuda ? "selected" : "auto: a CUDA device works"};
  }
  const std::string why = status.devices.empty() ? fmt::format("no CUDA device ({})", status.reason)
                                                 : fmt::format("no CUDA device {}; there are 0 to {}", device,
                                                               status.devices.size() - 1);
  if (choice == BackendChoice::kCuda) throw MachineError(why);
  return {{}, "auto: " + why};
}

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

namespace {

std::vector<Device> parts_of_cpu(std::string_view text) {
  int parts = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parts);
  if (error != std::errc{} || end != text.data() + text.size() || parts < 1 || parts > kMaxCpuPartitions) {
    throw InputError(fmt::format(
        "'{}': the CPU backend is one device; allowed: 1 to {} partitions of it, or --backend cuda "
        "or auto",
        text, kMaxCpuPartitions));
  }
  std::vector<Device> devices;
  for (int part = 0; part < parts; ++part) devices.push_back({.ordinal = part});
  return devices;
}

/// The detected device of an ordinal.
Device device_of(const CudaStatus& cuda, int ordinal) {
  const auto found = std::ranges::find(cuda.devices, ordinal, &Device::ordinal);
  return found != cuda.devices.end() ? *found : cuda_device(ordinal);
}

}  // namespace

std::vector<Device> devices_from(const Device& first, const CudaStatus& cuda, const std::vector<int>& named) {
  std::vector<Device> devices = {first};
  const auto add = [&](const Device& device) {
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  };
  if (first.simulated_devices > 0) {
    for (int part = 1; part < first.simulated_devices; ++part) add({.ordinal = part});
  } else if (!named.empty()) {
    for (const int ordinal : named) add(device_of(cuda, ordinal));
  } else {
    for (const Device& device : cuda.devices) add(device);
  }
  return devices;
}

BackendSelection distribute_over(const BackendSelection& first, const std::vector<Device>& devices,
                                 std::size_t count) {
  BackendSelection all = first_device(first);
  const std::size_t last = std::min(std::max<std::size_t>(count, 1), devices.size());
  for (std::size_t i = 1; i < last; ++i) all.others.push_back(devices[i]);
  return all;
}

bool is_distributed_over(const BackendSelection& shared, const BackendSelection& first,
                         const std::vector<Device>& devices, std::size_t count) {
  const std::size_t last = std::min(std::max<std::size_t>(count, 1), devices.size());
  const auto others = std::span(devices).first(last).subspan(std::min<std::size_t>(1, last));
  return shared.device == first.device && std::ranges::equal(shared.others, others);
}

std::vector<Device> read_devices(std::string_view text, BackendChoice backend) {
  if (backend == BackendChoice::kCpu) return parts_of_cpu(text);
  const CudaStatus status = cuda_status();
  std::vector<int> there;
  for (const Device& device : status.devices) there.push_back(device.ordinal);
  if (there.empty()) {
    throw MachineError(
        fmt::format("no CUDA device ({}); allowed: --backend cpu, where --devices is a number of partitions",
                    status.reason));
  }
  std::vector<Device> devices;
  for (const int number : read_device_numbers(text, there)) devices.push_back(device_of(status, number));
  return devices;
}

}  // namespace loom
