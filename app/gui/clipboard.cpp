#include "app/gui/clipboard.h"

#include <cstring>
#include <utility>

#include "app/gui/imgui_compat.h"

namespace loom::app::clipboard {
namespace {

// Static, because only one ImGui context exists at a time; see `Gui`.
imgui_compat::ClipboardReader read_whole = nullptr;  ///< the backend's reader
std::optional<std::size_t> refused;

const char* read_for_field(imgui_compat::ClipboardContext context) {
  const char* const text = read_whole(context);
  if (text == nullptr) return nullptr;
  const std::size_t size = std::strlen(text);
  if (size <= kMostFieldBytes) return text;
  refused = size;
  return "";
}

}  // namespace

void limit_text_fields() {
  imgui_compat::ClipboardReader& reader = imgui_compat::clipboard_reader();
  if (reader == nullptr || reader == &read_for_field) return;
  read_whole = std::exchange(reader, &read_for_field);
  refused.reset();
}

std::string text() {
  const imgui_compat::ClipboardReader reader = imgui_compat::clipboard_reader();
  if (reader == nullptr) return {};
  const char* const text =
      (reader == &read_for_field ? read_whole : reader)(imgui_compat::clipboard_context());
  return text == nullptr ? std::string() : std::string(text);
}

std::optional<std::size_t> take_refused() {
  return std::exchange(refused, std::nullopt);
}

}  // namespace loom::app::clipboard
