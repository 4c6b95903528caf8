#pragma once

#include <string>

#include "app/cli/manual/command_words.h"

namespace loom::app {

// Pages of section 1 in the roff of man(7), made of what the command line declares.

/// fractal-loom(1).
std::string man_page(const ProgramWords& program);
/// fractal-loom-COMMAND(1).
std::string man_page(const ProgramWords& program, const CommandWords& command);

}  // namespace loom::app
