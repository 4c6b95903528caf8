#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// So many devices to share work out to, as one of the choices of a row.
struct DeviceCount {
  std::uint32_t count = 1;
  std::string label = {};
  std::string why_not = {};  ///< empty: it can be chosen
  std::string hint = {};
  Area place = {};  ///< of its button, for tests
};

/// The numbers that are offered: one, two, and as many as there are; of the CPU parts, each number twice the
/// one before. With their labels.
std::vector<DeviceCount> device_counts(std::size_t there, BackendKind kind);

/// "2 GPUs", "2 parts of the CPU", "1 GPU".
std::string devices_in_words(std::size_t devices, BackendKind kind);
/// Why there are not so many, as the window says it; empty where there are. `there`: how many there are, or
/// parts of the CPU. `shared`: what is shared out, "cells are".
std::string why_not_there(std::size_t devices, std::size_t there, BackendKind kind, std::string_view shared);

/// The row of controls that chooses among them.
void devices_row(std::span<DeviceCount> counts, std::uint32_t& chosen, BackendKind kind,
                 std::string_view hint);

}  // namespace loom::app
