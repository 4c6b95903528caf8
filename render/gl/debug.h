#pragma once

#include <string>
#include <vector>

namespace loom::render {

/// Installs the GL debug callback on the current context (synchronous). Notifications are dropped; everything
/// else is kept until taken, and printed to standard error when `echo`. Called again, it only changes `echo`.
void install_gl_debug(bool echo);
/// GL messages of the current context since the last call, "source/type/severity: text". Tests fail on any.
/// Keeps the newest 1000. Empty where no callback is installed.
std::vector<std::string> take_gl_messages();
/// Takes the callback off the current context and frees what it kept; contexts do so before they go.
void remove_gl_debug();

}  // namespace loom::render
