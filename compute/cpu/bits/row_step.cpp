#include "compute/cpu/bits/row_step.h"

#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/workload/life_rows.h"

namespace loom::cpu {
namespace {

struct Generation {
  const BitRows& rows;
  const std::uint64_t* now;
  const std::uint64_t* mask;
  std::uint64_t* next;
  RuleMasks rule;
};

/// The words beyond both ends of a row are empty.
[[gnu::always_inline]] inline RowWords words_at(const std::uint64_t* row, std::uint64_t i,
                                                std::uint64_t last) {
  return row_words(i > 0 ? row[i - 1] : 0, row[i], i < last ? row[i + 1] : 0);
}

LOOM_EACH_VECTOR_WIDTH void step_row(const Generation& all, const std::uint64_t* above,
                                     const std::uint64_t* here, const std::uint64_t* below, std::uint64_t y) {
  const std::uint64_t pitch = all.rows.pitch;
  const std::uint64_t last = pitch - 1;
  const std::uint64_t* const mask = all.mask + y * pitch;
  std::uint64_t* const next = all.next + y * pitch;
  const auto at_end = [&](std::uint64_t i) {
    next[i] = next_row_word(all.rule, words_at(above, i, last), words_at(here, i, last),
                            words_at(below, i, last), mask[i]);
  };
  at_end(0);
#pragma omp simd
  for (std::uint64_t i = 1; i < last; ++i) {
    next[i] = next_row_word(all.rule, row_words(above[i - 1], above[i], above[i + 1]),
                            row_words(here[i - 1], here[i], here[i + 1]),
                            row_words(below[i - 1], below[i], below[i + 1]), mask[i]);
  }
  if (last > 0) at_end(last);
}

}  // namespace

void step_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask, std::uint64_t* next,
               const std::uint64_t* outside, LifeRule rule, const ProgressScope& call) {
  const Generation all{rows, now, mask, next, RuleMasks(rule)};
  const std::uint64_t pitch = rows.pitch;
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(rows.height); ++r) {
    if (call.cancelled()) continue;
    const auto y = static_cast<std::uint64_t>(r);
    step_row(all, y > 0 ? now + (y - 1) * pitch : outside, now + y * pitch,
             y + 1 < rows.height ? now + (y + 1) * pitch : outside, y);
    call.advance(1);
  }
}

}  // namespace loom::cpu
