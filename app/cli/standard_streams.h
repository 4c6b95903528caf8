#pragma once

#include <string_view>

namespace loom::app {

/// Opens closed standard streams so that they reject access; otherwise the next opened file would get their
/// descriptor and receive their data. Call first in main.
void guard_standard_streams();

/// Writes to standard error; errors are ignored.
void print_error(std::string_view text);

/// Throws MachineError with the system's reason if printed output was lost.
void flush_standard_output();
/// Does the same for the current exception if lost output caused it; otherwise nothing.
void throw_if_output_failed();

}  // namespace loom::app
