#pragma once

// Characters of the font Font Awesome 4, which load_fonts() merges into the text font.

namespace loom::app::icons {

inline constexpr const char* kBack = "\uf048";
inline constexpr const char* kPlay = "\uf04b";
inline constexpr const char* kPause = "\uf04c";
inline constexpr const char* kStep = "\uf051";

}  // namespace loom::app::icons
