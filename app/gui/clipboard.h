#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace loom::app::clipboard {

/// ImGui lays out the whole text of a field in every frame: 10 MB take most of a second.
inline constexpr std::size_t kMostFieldBytes = std::size_t{1} << 16;

/// Makes text fields refuse clipboard texts of more than kMostFieldBytes. Call once per ImGui context, after
/// its backend is initialised.
void limit_text_fields();
/// The whole text of the clipboard, of any length; empty if there is none.
std::string text();
/// The size of the text that a field has refused since the last call.
std::optional<std::size_t> take_refused();

}  // namespace loom::app::clipboard
