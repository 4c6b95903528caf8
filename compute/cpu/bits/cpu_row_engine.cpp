#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compute/cpu/engines.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/cpu/life/resolve.h"
#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/cell_work.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/larger_rows.h"
#include "compute/workload/life_rows.h"

namespace loom::cpu {
namespace {

/// Calls `visit(row)` for every row, in parallel; a row is a unit of `call`.
template <typename Visit>
void for_each_row(const BitRows& rows, const ProgressScope& call, const Visit& visit) {
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < static_cast<std::int64_t>(rows.height); ++y) {
    if (call.cancelled()) continue;
    visit(static_cast<std::uint64_t>(y));
    call.advance(1);
  }
}

/// Calls `visit(x)` for the set bits of a row.
template <typename Visit>
void for_each_point(const std::uint64_t* row, std::uint64_t words, const Visit& visit) {
  for (std::uint64_t i = 0; i < words; ++i) {
    for (std::uint64_t word = row[i]; word != 0; word &= word - 1)
      visit(64 * i + static_cast<std::uint64_t>(std::countr_zero(word)));
  }
}

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

/// Computes one generation of life in bit rows. `outside` is an empty row. A row is a unit of `call`; if it
/// is cancelled, `next` is incomplete.
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

/// Eight words, as wide as the widest vectors; machines with narrower ones use two or four of theirs.
using Words [[gnu::vector_size(64)]] = std::uint64_t;
constexpr std::uint64_t kWordsInVector = sizeof(Words) / sizeof(std::uint64_t);

[[gnu::always_inline]] inline Words load(const std::uint64_t* from) {
  Words words;
  std::memcpy(&words, from, sizeof(words));
  return words;
}

/// The rows that a thread counts neighbours from, with zeros on both sides, and the counts of each word.
struct LargeRow {
  static constexpr std::uint64_t kPlanes = kBoxPlanes<LargerThanLife::kMaxRadius>;
  std::uint64_t vectors = 0;
  std::vector<std::uint64_t> came;  ///< enters all neighbourhoods
  std::vector<std::uint64_t> left;  ///< leaves them
  std::vector<std::uint64_t> here;  ///< the cells themselves, and then their next states
  std::vector<std::uint64_t> counts;

  explicit LargeRow(std::uint64_t pitch)
      : vectors((pitch + kWordsInVector - 1) / kWordsInVector),
        came((vectors + 2) * kWordsInVector),
        left(came.size()),
        here(came.size()),
        counts(vectors * kWordsInVector * kPlanes) {}
  /// Null: an empty row.
  static void copy(const std::uint64_t* row, std::uint64_t pitch, std::vector<std::uint64_t>& to) {
    if (row != nullptr)
      std::copy_n(row, pitch, to.begin() + kWordsInVector);
    else
      std::fill(to.begin(), to.end(), std::uint64_t{0});
  }
};

/// The points from `radius` to the left of a vector's on.
template <int kRadius>
[[gnu::always_inline]] inline void from_left(const std::uint64_t* row, Words (&words)[2]) {
  const Words own = load(row);
  words[0] = own << kRadius | load(row - 1) >> (64 - kRadius);
  words[1] = own >> (64 - kRadius) | load(row + 1) << kRadius;
}

template <int kRadius>
[[gnu::always_inline]] inline void count_row(const LargeMasks& rule, bool writes, LargeRow& row) {
  constexpr int kPlanes = kBoxPlanes<kRadius>;
  for (std::uint64_t v = 0; v < row.vectors; ++v) {
    const std::uint64_t at = (v + 1) * kWordsInVector;
    Words more[2];
    Words less[2];
    from_left<kRadius>(row.came.data() + at, more);
    from_left<kRadius>(row.left.data() + at, less);
    RowChanges<Words, 2, 2 * kRadius + 1> changes;
    sum_changes(more, less, changes);
    Words counts[kPlanes];
    std::uint64_t* const counted = row.counts.data() + v * LargeRow::kPlanes * kWordsInVector;
    std::memcpy(counts, counted, sizeof(counts));
    add_changes(changes, 0, counts);
    std::memcpy(counted, counts, sizeof(counts));
    if (!writes) continue;
    const Words next = next_large_word(rule, load(row.here.data() + at), counts);
    std::memcpy(row.here.data() + at, &next, sizeof(next));
  }
}

LOOM_EACH_VECTOR_WIDTH [[gnu::flatten]] void count_large_row(int radius, const LargeMasks& rule, bool writes,
                                                             LargeRow& row) {
  with_radius(radius, [&](auto constant) { count_row<constant()>(rule, writes, row); });
}

/// The same of a rule of Larger than Life. `threads` has what each of them needs.
void step_larger_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask,
                      std::uint64_t* next, const LifeRule& rule, std::vector<LargeRow>& threads,
                      const ProgressScope& call) {
  const LargeMasks masks(rule);
  const auto radius = static_cast<std::int64_t>(rule.larger.radius);
  const auto height = static_cast<std::int64_t>(rows.height);
  const auto most = static_cast<std::int64_t>(threads.size());
  const std::int64_t of_strip = std::max<std::int64_t>(64, (height + 4 * most - 1) / (4 * most));
  const auto row_at = [&](std::int64_t y) {
    return y >= 0 && y < height ? now + static_cast<std::uint64_t>(y) * rows.pitch : nullptr;
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < height; first += of_strip) {
    LargeRow& row = threads[static_cast<std::size_t>(omp_get_thread_num())];
    std::fill(row.counts.begin(), row.counts.end(), std::uint64_t{0});
    for (std::int64_t y = first - 2 * radius; y < std::min(first + of_strip, height); ++y) {
      if (call.cancelled()) break;
      const bool writes = y >= first;
      LargeRow::copy(row_at(y + radius), rows.pitch, row.came);
      LargeRow::copy(y > first ? row_at(y - radius - 1) : nullptr, rows.pitch, row.left);
      if (writes) LargeRow::copy(row_at(y), rows.pitch, row.here);
      count_large_row(static_cast<int>(radius), masks, writes, row);
      if (!writes) continue;
      const std::uint64_t at = static_cast<std::uint64_t>(y) * rows.pitch;
      for (std::uint64_t i = 0; i < rows.pitch; ++i)
        next[at + i] = row.here[kWordsInVector + i] & mask[at + i];
      call.advance(1);
    }
  }
}

}  // namespace

/// Life on the whole square with one bit per point (geometry/stored_cells.h): the bounding box with
/// bit-packed storage. A GPU thread processes one word; this engine processes each row one vector at a time.
class CpuRowEngine final : public CpuFractalEngine {
 public:
  /// `config` must be valid, with the bounding box and bit-packed storage. Throws std::bad_alloc.
  explicit CpuRowEngine(const FractalConfig& config)
      : CpuFractalEngine(config, bytes_needed(config) / 3),
        rows_(fractal_),
        mask_(bytes_),
        outside_(rows_.pitch) {}

  ThreadCount count_threads() const override {
    // One thread per word; it has cells if its mask is not 0.
    make_mask();
    const auto* const points = reinterpret_cast<const std::uint64_t*>(mask_.data());
    std::uint64_t threads = 0;
    std::uint64_t occupied = 0;
#pragma omp parallel for schedule(static) reduction(+ : threads, occupied)
    for (std::uint64_t y = 0; y < rows_.height; ++y) {
      std::uint64_t active = 0;
      for (std::uint64_t i = 0; i < rows_.pitch; ++i) active += points[y * rows_.pitch + i] != 0 ? 1 : 0;
      threads += active;
      occupied += active > 0 ? 1 : 0;
    }
    return {.tiles_launched = rows_.height,
            .tiles_occupied = occupied,
            .threads_launched = rows_.words(),
            .threads_active = threads};
  }

 private:
  void prepare() override {
    make_mask();
  }

  std::uint64_t units_of_work() const override {
    return rows_.height;
  }

  void paint(const Viewport& viewport, std::uint16_t* pixels) override {
    cpu::resolve(config_.method, fractal_, now_.data(), viewport, monitor_, pixels, pixel_counts_);
  }

  std::uint64_t run_once(const Work& work, bool, const ProgressScope& call) override {
    const auto* const now = reinterpret_cast<const std::uint64_t*>(now_.data());
    auto* const next = reinterpret_cast<std::uint64_t*>(next_.data());
    const auto* const points = reinterpret_cast<const std::uint64_t*>(mask_.data());
    switch (work.workload) {
      case Workload::kSingleWrite: {
        const auto generation = static_cast<std::uint32_t>(generation_);
        for_each_row(rows_, call, [&](std::uint64_t y) {
          std::uint64_t* const row = next + y * rows_.pitch;
          std::fill_n(row, rows_.pitch, std::uint64_t{0});
          for_each_point(points + y * rows_.pitch, rows_.pitch, [&](std::uint64_t x) {
            row[x / 64] |= std::uint64_t{single_write_value(Coord64{x, y}, generation)} << (x % 64);
          });
        });
        break;
      }
      case Workload::kReduction: {
        std::atomic<std::uint64_t> found{0};
        for_each_row(rows_, call, [&](std::uint64_t y) {
          std::uint64_t part = 0;
          for_each_point(now + y * rows_.pitch, rows_.pitch, [&](std::uint64_t x) {
            part += reduction_value(Coord64{x, y}, 1);
          });
          found.fetch_add(part, std::memory_order_relaxed);
        });
        return found;
      }
      case Workload::kLife:
        if (work.rule.is_larger()) {
          const auto threads = static_cast<std::size_t>(omp_get_max_threads());
          if (large_.size() < threads) large_.resize(threads, LargeRow(rows_.pitch));
          step_larger_rows(rows_, now, points, next, work.rule, large_, call);
        } else {
          step_rows(rows_, now, points, next, outside_.data(), work.rule, call);
        }
        break;
    }
    return 0;
  }

  /// Throws OperationCancelled.
  void make_mask() const {
    if (masked_) return;
    const ProgressScope call(monitor_, fractal_.cells);
    for_each_stored(stored_, fractal_, mask_.data(), 0, fractal_.cells, call,
                    [](std::uint64_t, std::uint64_t at, const auto& cells) { cells.store(at, 1); });
    masked_ = true;
  }

  BitRows rows_;
  mutable PageBuffer mask_;  ///< the points that are cells; computed when first needed
  mutable bool masked_ = false;
  std::vector<std::uint64_t> outside_;  ///< an empty row
  std::vector<LargeRow> large_;         ///< of each thread; made when a rule first needs them
  std::vector<std::uint64_t> pixel_counts_;
};

std::unique_ptr<FractalEngine> make_row_engine(const FractalConfig& config) {
  return std::make_unique<CpuRowEngine>(config);
}

}  // namespace loom::cpu
