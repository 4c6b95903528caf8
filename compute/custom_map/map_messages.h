#pragma once

#include <cstddef>
#include <string>

#include "compute/custom_map/map_protocol.h"

namespace loom {

// Messages of the process that runs a map, on its standard output. Where nobody reads them, it ends.

void send(MapMessage kind, const void* data, std::size_t bytes);
/// Line and column from 1; 0: none.
void send_problem(int line, int column, const std::string& text);
/// Returns false at the end of the file.
bool read_all(int file, void* data, std::size_t bytes);

}  // namespace loom
