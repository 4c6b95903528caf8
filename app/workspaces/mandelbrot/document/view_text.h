#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// A parsed view of a set.
struct ParsedView : ViewRequest {
  std::optional<EscapeTimeSet> set = {};  ///< nothing: the text names only a place
  std::optional<std::uint32_t> dwell_limit = {};
  std::string dropped = {};  ///< a sentence about ignored parts; empty if there are none
};

/// Reads "re, im, width" or "re + im i, width" (separated by commas or blanks; the second also without a
/// width; both perhaps with "angle DEGREES"), a position file of XaoS (.xpf), of Kalles Fraktaler (.kfr) or
/// of Fraktaler-3 (.toml), or the center-mag of Fractint, with all digits; `dropped` reports unsupported
/// settings. Throws InputError with what is wrong and what is allowed, also for another set than
/// Mandelbrot's.
ParsedView parse_view(std::string_view text);
/// Reads a position file. Throws as parse_view().
ParsedView read_view_file(const std::filesystem::path& file);
/// Largest size of a position file in bytes.
inline constexpr std::size_t kMaxViewText = 1 << 22;

/// A text that parse_view() reads as exactly the same view.
std::string text_of(const ComplexView& view);
/// The text of a position file for the ending of `file`, .kfr or .xpf: the view in a picture of this size.
/// Throws InputError for other endings.
std::string position_text(const std::filesystem::path& file, const ComplexView& view, glm::ivec2 picture,
                          std::uint32_t dwell_limit);
/// ", angle 30"; empty for 0.
std::string angle_text(const ComplexView& view);
/// text_of() for the screen: long numbers are shortened (Decimal::shown()).
std::string shown_text_of(const ComplexView& view);

}  // namespace loom::app
