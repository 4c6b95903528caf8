#pragma once

#include <string_view>

namespace loom::app {

/// Gives closed standard streams a place that refuses: a file that is opened would else take their number,
/// and be written what was meant for them. First of all.
void guard_standard_streams();

/// To standard error. Where that is closed or full there is nobody left to tell.
void say(std::string_view text);

/// Throws MachineError with the system's reason where something printed did not arrive.
void flush_standard_output();
/// The same for what was thrown, if that was why; else nothing.
void explain_standard_output();

}  // namespace loom::app
