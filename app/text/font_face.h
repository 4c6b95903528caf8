#pragma once

#include <cstdint>

namespace loom::app {

/// The fonts of the window, of diagrams and of pages.
enum class FontFace : std::uint8_t { kPlain, kBold, kMono };

}  // namespace loom::app
