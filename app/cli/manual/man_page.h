#pragma once

#include <string>

#include "app/cli/manual/command_spec.h"

namespace loom::app {

// Manual pages (section 1, roff of man(7)) generated from the declared command line.

/// fractal-loom(1).
std::string man_page(const ProgramSpec& program);
/// fractal-loom-COMMAND(1).
std::string man_page(const ProgramSpec& program, const CommandSpec& command);

}  // namespace loom::app
