#pragma once

#include <string>

#include "app/cli/manual/command_words.h"

namespace loom::app {

// Manual pages (section 1, roff of man(7)) generated from the declared command line.

/// fractal-loom(1).
std::string man_page(const ProgramWords& program);
/// fractal-loom-COMMAND(1).
std::string man_page(const ProgramWords& program, const CommandWords& command);

}  // namespace loom::app
