#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// A number of devices, as a choice of the row.
struct DeviceCountOption {
  std::uint32_t count = 1;
  std::string label = {};
  std::string why_not = {};  ///< empty: it can be chosen
  std::string hint = {};
  Area place = {};  ///< of its button, for tests
};

/// The offered numbers with their labels: one, two, and all GPUs; for simulated devices of the CPU one, two,
/// four, eight.
std::vector<DeviceCountOption> device_counts(std::size_t there, BackendKind kind);

/// "2 GPUs", "2 simulated devices (CPU)", "1 GPU".
std::string devices_text(std::size_t devices, BackendKind kind);
/// Why `devices` devices are not available, as shown in the window; empty if they are. `there`: available
/// GPUs, or simulated devices of the CPU.
std::string missing_devices_reason(std::size_t devices, std::size_t there, BackendKind kind,
                                   std::string_view shared);

/// The row of controls that chooses among them.
void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, BackendKind kind,
                 std::string_view hint);

}  // namespace loom::app
