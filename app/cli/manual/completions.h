#pragma once

#include <string>

#include "app/cli/manual/command_spec.h"

namespace loom::app {

// Completion scripts for shells: commands, options, and values if they are files or a list.

std::string bash_completion(const ProgramSpec& program);
std::string zsh_completion(const ProgramSpec& program);
std::string fish_completion(const ProgramSpec& program);

}  // namespace loom::app
