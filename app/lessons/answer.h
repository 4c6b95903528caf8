#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

/// Whether a typed number is the answer: within the tolerance of it. What is typed may be a sum, "3^4 - 1",
/// and may have blanks between digits. Throws InputError for what is no number, and as Expression::value()
/// does.
bool is_right_number(const Question& question, std::string_view typed, const Figures& figures);

/// The right choice, from 0. Throws InputError where the answer is none of them, and as above.
std::size_t right_choice(const Question& question, const Figures& figures);

/// Whether the pinned point is right. One of which a field is not known is not: no thread may be launched
/// there. Throws InputError.
bool is_right_cell(const Question& question, const Figures& figures);
/// One point that is right. Throws InputError where the expressions give none of the square.
struct PointOfSquare {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
};
PointOfSquare right_cell(const Question& question, const Figures& figures);

/// How the answer comes about: "threads_launched − cells = 256 − 81 = 175". Throws as above.
std::string shown_answer(const Question& question, const Figures& figures);

}  // namespace loom::app::lessons
