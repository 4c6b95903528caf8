#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"
#include "compute/device/device.h"

namespace loom::app {

/// The current state shown by the row of backends.
struct BackendRowInfo {
  const CudaStatus& cuda;
  const BackendSelection& backend;  ///< active backend
  std::string_view name;            ///< "cpu: 2 threads"
  const char* cpu;                  ///< tooltip of the CPU button
};

/// The row of controls that chooses where all workspaces compute.
void backend_row(BackendChoice& chosen, const BackendRowInfo& now);

/// One choice of the devices row: a number of devices.
struct DeviceCountOption {
  std::uint32_t count = 1;
  std::string label = {};
  std::string problem = {};  ///< reason why it is not available; empty: it can be chosen
  std::string hint = {};
  Area place = {};  ///< area of its button, for tests
};

/// The choices with their labels. GPUs: one, two and all. Simulated devices of the CPU: one, two, four and
/// eight.
std::vector<DeviceCountOption> device_counts(std::size_t there, const Device& device);

/// "2 GPUs", "2 simulated devices (CPU)", "1 GPU".
std::string devices_text(std::size_t devices, const Device& device);
/// The reason, for the window, why `devices` devices are not available; empty if they are. `there`: available
/// GPUs, or simulated devices of the CPU.
std::string missing_devices_reason(std::size_t devices, std::size_t there, const Device& device);

/// Draws the row of controls that selects the number of devices.
void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, bool simulated,
                 std::string_view hint);

// Rows of program-wide settings.

/// State of the text size slider between frames.
struct TextSizeState {
  float ui_pixels = 0;  ///< text size under the slider while it is dragged; applied on release
  bool dragging = false;
};
void text_size_row(TextSizeState& state, ShellSettings& view);

inline constexpr const char* kLectureLabel = "Lecture";
/// Toggles lecture mode. Returns true if the button was pressed.
bool lecture_button(ShellSettings& view, float width);

}  // namespace loom::app
