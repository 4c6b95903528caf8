#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/device/device.h"

namespace loom::app {

/// Exit statuses besides 0, and 1 for a check that failed.
inline constexpr int kBadInput = 2;
inline constexpr int kMachineLacks = 3;

/// A plain text table with columns as wide as their longest entry and two spaces between them.
class TextTable {
 public:
  /// The header is not printed if all its entries are empty. Columns from `first_right` on (counted from 0)
  /// are right-aligned, for numbers.
  explicit TextTable(std::vector<std::string> header, std::size_t first_right = static_cast<std::size_t>(-1));
  /// Adds a row with one entry per column; control characters become blanks.
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< header first
  std::size_t first_right_;
};

/// The device in an engine's backend name: "NVIDIA H200" of "cuda: NVIDIA H200".
inline std::string device_text(std::string_view backend_name) {
  const auto colon = backend_name.find(": ");
  return std::string(colon == std::string_view::npos ? backend_name : backend_name.substr(colon + 2));
}

/// Adds the backend, its devices and the number of processes of a run to its JSON.
template <typename Run>
void add_devices(nlohmann::ordered_json& json, const Run& run) {
  json["backend"] = name_of(run.backend.device.kind);
  json["backend_reason"] = run.backend.reason;
  json["device"] = run.device;
  json["devices"] = nullptr;
  if (!run.devices.empty()) json["devices"] = run.devices;
  json["ranks"] = run.ranks;
}

/// A progress line on standard error that overwrites itself; silent if that is not a terminal. It is updated
/// at most ten times per second and erased at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view text);

 private:
  bool on_terminal_;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// Writes a NumPy array of uint32, little-endian, C order (format version 1.0), with these extents. `read`
/// fills complete rows, along the last axis, from the given one on and is called with a few rows at a time.
/// Throws as OutputFile does.
void write_npy(const std::filesystem::path& file, std::span<const std::uint32_t> shape,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read);

/// Opens closed standard streams so that they reject access; otherwise the next opened file would get their
/// descriptor and receive their data. Call first in main.
void guard_standard_streams();

/// Writes to standard error; errors are ignored.
void print_error(std::string_view text);

/// Tells the user on standard error what was done in another way than asked; nothing if `note` is empty.
void print_note(std::string_view note);

/// Throws MachineError with the system's reason if printed output was lost.
void flush_standard_output();
/// Does the same for the current exception if lost output caused it; otherwise nothing.
void throw_if_output_failed();

/// Writes files, whose names are relative to `folder`, and creates the folders that they need: all of them or
/// none. Throws InputError and MachineError that name the option.
void write_tree(std::string_view option, const std::filesystem::path& folder,
                const std::vector<std::pair<std::filesystem::path, std::string>>& files);

}  // namespace loom::app
