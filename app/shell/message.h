#pragma once

#include <string>
#include <utility>

namespace loom::app {

/// Kind of a message. kSuccess: done. kWarning: done in part, or not possible now. kError: failed.
enum class MessageKind { kSuccess, kWarning, kError };

/// "success", "warning", "error".
constexpr const char* name_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::kSuccess:
      return "success";
    case MessageKind::kWarning:
      return "warning";
    case MessageKind::kError:
      return "error";
  }
  return "";
}

/// A message for the user. Empty text means no message.
struct Message {
  MessageKind kind = MessageKind::kWarning;
  std::string text = {};
  bool is_transient = false;  ///< disappears after some seconds and does not capture Esc

  static Message success(std::string text) { return {MessageKind::kSuccess, std::move(text), true}; }
  /// A warning that needs no answer, such as a key that has no effect here.
  static Message hint(std::string text) { return {MessageKind::kWarning, std::move(text), true}; }
  static Message warning(std::string text) { return {MessageKind::kWarning, std::move(text), false}; }
  static Message error(std::string text) { return {MessageKind::kError, std::move(text), false}; }

  bool empty() const { return text.empty(); }
};

}  // namespace loom::app
