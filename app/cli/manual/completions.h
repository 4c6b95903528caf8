#pragma once

#include <string>

#include "app/cli/manual/command_words.h"

namespace loom::app {

// Scripts that let a shell complete commands, options, and values where those are files or a list.

std::string bash_completion(const ProgramWords& program);
std::string zsh_completion(const ProgramWords& program);
std::string fish_completion(const ProgramWords& program);

}  // namespace loom::app
