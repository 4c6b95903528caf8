#include "render/gl/debug.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iterator>

namespace loom::render {
namespace {

// Bounds the memory if a driver emits a message for every draw call.
constexpr std::size_t kKeptMessages = 1000;

struct DebugLog {
  bool echo = false;
  std::deque<std::string> messages;
};

/// Of consecutive constants from `first` on; the last name is that of all others.
template <std::size_t kCount>
const char* name_of(GLenum value, GLenum first, const char* const (&names)[kCount]) {
  return names[std::min<std::size_t>(value - first, kCount - 1)];
}

void GLAD_API_PTR keep_message(GLenum source, GLenum type, GLuint /*id*/, GLenum severity, GLsizei length,
                               const GLchar* text, const void* user) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  auto& log = *static_cast<DebugLog*>(const_cast<void*>(user));
  std::string message =
      std::string(
          name_of(source, GL_DEBUG_SOURCE_API,
                  {"api", "window system", "shader compiler", "third party", "application", "other"})) +
      "/" +
      name_of(type, GL_DEBUG_TYPE_ERROR,
              {"error", "deprecated", "undefined behaviour", "portability", "performance", "other"}) +
      "/" + name_of(severity, GL_DEBUG_SEVERITY_HIGH, {"high", "medium", "low", "notification"}) + ": " +
      (length < 0 ? std::string(text) : std::string(text, static_cast<std::size_t>(length)));
  while (!message.empty() && (message.back() == '\n' || message.back() == '\0')) message.pop_back();
  if (log.echo) std::fprintf(stderr, "OpenGL: %s\n", message.c_str());
  if (log.messages.size() == kKeptMessages) log.messages.pop_front();
  log.messages.push_back(std::move(message));
}

// The log is passed as the callback's user pointer, so that each context has its own and none is global.
DebugLog* current_log() {
  void* callback = nullptr;
  glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
  if (callback != reinterpret_cast<void*>(&keep_message)) return nullptr;
  void* user = nullptr;
  glGetPointerv(GL_DEBUG_CALLBACK_USER_PARAM, &user);
  return static_cast<DebugLog*>(user);
}

}  // namespace

void install_gl_debug(bool echo) {
  DebugLog* log = current_log();
  if (log == nullptr) {
    log = new DebugLog;
    glDebugMessageCallback(&keep_message, log);
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  }
  log->echo = echo;
}

std::vector<std::string> take_gl_messages() {
  DebugLog* log = current_log();
  if (log == nullptr) return {};
  std::vector<std::string> taken(std::make_move_iterator(log->messages.begin()),
                                 std::make_move_iterator(log->messages.end()));
  log->messages.clear();
  return taken;
}

void remove_gl_debug() {
  DebugLog* log = current_log();
  if (log == nullptr) return;
  glDisable(GL_DEBUG_OUTPUT);
  glDebugMessageCallback(nullptr, nullptr);
  delete log;
}

}  // namespace loom::render
