#pragma once

#include <string>
#include <vector>

namespace loom::render {

/// Installs the GL debug callback on the current context (synchronous). Notifications are dropped; everything else
/// is kept until taken, and printed to standard error when `echo`.
void install_gl_debug(bool echo);
/// GL messages since the last call, "source/type/severity: text". Tests fail on any.
std::vector<std::string> take_gl_messages();

}  // namespace loom::render
