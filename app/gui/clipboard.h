#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace loom::app::clipboard {

/// ImGui lays the whole text of a field out anew in each frame: 10 MB take most of a second.
inline constexpr std::size_t kMostFieldBytes = std::size_t{1} << 16;

/// From now on text fields paste nothing from a clipboard of more than kMostFieldBytes. Call once for each
/// ImGui context, after its backend was initialised.
void limit_text_fields();
/// The whole text of the clipboard, however long; empty where it has none.
std::string text();
/// The size of a text that a field refused since the last call.
std::optional<std::size_t> take_refused();

}  // namespace loom::app::clipboard
