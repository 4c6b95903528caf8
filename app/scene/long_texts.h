#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/watch.h"

namespace loom::app::scene {

/// JSON in which texts of many bytes stand for themselves no longer: what a parser of JSON looks at letter by
/// letter, and copies, is found by its end here.
struct LongTexts {
  std::string rest;                     ///< the text with a short mark for each of them
  std::vector<std::string_view> parts;  ///< what stood between the quotes, in the text that was given
};
/// Those of kLongText bytes and more that need no escapes. Throws Cancelled.
LongTexts without_long_texts(std::string_view text, const Watch* watch = nullptr);
/// The document of a text whose long texts are elements of the list at `place` (a JSON pointer) and nothing
/// else, with marks for them; of any other text the whole document, and `lifted` has no parts. Throws as
/// parse_json().
nlohmann::ordered_json parse_lifted(std::string_view text, const char* place, LongTexts& lifted,
                                    const Watch* watch = nullptr);
/// Which of the parts a text of the parsed rest stands for, if any.
std::optional<std::size_t> part_of_mark(std::string_view text);

inline constexpr std::size_t kLongText = std::size_t{1} << 16;

}  // namespace loom::app::scene
