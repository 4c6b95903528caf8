#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace loom::app::lessons {

/// Whether a typed number equals the answer within the tolerance. The text may be a sum, "3^4 - 1", and may
/// have blanks between digits. Throws InputError if it is not a number, and as Expression::value() does.
bool is_right_number(const Question& question, std::string_view typed, const ReportValues& values);

/// The correct choice, from 0. Throws InputError if the answer is none of the choices, and as above.
std::size_t right_choice(const Question& question, const ReportValues& values);

/// Whether the pinned point is correct. It is not if a field has no value, for example because no thread is
/// launched there. Throws InputError.
bool is_right_cell(const Question& question, const ReportValues& values);
/// Whether the code in the window passes its exercise.
bool is_right_code(const Question& question, const ReportValues& values);
/// One correct point. Throws InputError if the expressions give a point outside the square.
struct GridPoint {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
};
GridPoint right_cell(const Question& question, const ReportValues& values);

/// The answer and how it is computed: "threads_launched − cells = 256 − 81 = 175". Throws as above.
std::string shown_answer(const Question& question, const ReportValues& values);
/// The answer of a number in the scene's values, "16 × 16 = 256 threads", or the right choice; empty for
/// other questions. Throws InputError as shown_answer() does.
std::string answer_in_values(const Question& question, const ReportValues& values);

}  // namespace loom::app::lessons
