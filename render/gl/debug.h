#pragma once

#include <string>
#include <vector>

namespace loom::render {

/// Installs the GL debug callback on the current context (synchronous). Notifications are dropped; all other
/// messages are kept until taken, and printed to standard error if `echo`. A second call only changes `echo`.
void install_gl_debug(bool echo);
/// GL messages of the current context since the last call, "source/type/severity: text". Tests fail on any.
/// Keeps the newest 1000. Empty if no callback is installed.
std::vector<std::string> take_gl_messages();
/// Removes the callback from the current context and frees its messages; contexts call it before their
/// destruction.
void remove_gl_debug();

}  // namespace loom::render
