#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/occupancy.h"
#include "compute/workload/game_of_life.h"

namespace loom {

// When which part of one launch ran where, recorded by an instrumented copy of the kernels (on the CPU of the
// loop over runs of blocks). The copies run the same device functions as the kernels that are timed and read
// a clock before and after; the kernels that are timed hold none of it.
//
// A worker is what can do several pieces of work at once or one after the other: a multiprocessor of the GPU,
// an OpenMP thread of the CPU. A span is the time that one of its thread blocks spent on one thing; what a
// worker does at the same time overlaps.

/// What a span was spent on.
enum class SpanWork : std::uint8_t {
  kBlocks,  ///< life: the rho x rho blocks of a thread block, or on the CPU of a run
  kPixels,  ///< the exhaustive Mandelbrot method: pixels one by one
  kBorder,  ///< a region's border, up to the answer whether it has one dwell
  // What became of a region then; on the CPU its border is part of the same span.
  kFill,    ///< a region, or a part of it, filled with that dwell
  kLeaf,    ///< a region of the last level, or a part of it, computed
  kSplit,   ///< a region's children written to the table (ASK), launched (DP) or put up as tasks
  kMirror,  ///< of a mirrored image the real axis, and the rows beyond it copied; on the CPU
};
/// "blocks", "pixels", "border", "fill", "leaf", "split", "mirror".
std::string_view name_of(SpanWork work);

/// No span launched this one: the host did.
inline constexpr std::uint32_t kNoParent = 0xffffffffu;

struct TimelineSpan {
  std::uint64_t begin = 0;  ///< nanoseconds since the timeline's start
  std::uint64_t end = 0;    ///< likewise, >= begin: when the last of the thread block's threads was done
  /// The number of the thread block in its launch, row by row; on the CPU of the first rho x rho block of the
  /// run, of the first row of pixels, or of the region in its level.
  std::uint64_t block = 0;
  std::uint64_t count = 1;  ///< on the CPU how many of these; on the GPU 1
  std::uint32_t worker = 0;
  /// Dynamic parallelism: the span, by its place in Timeline::spans, whose thread block launched the grid
  /// that this one's belongs to. Thread blocks of one grid have the same. On the CPU the same of tasks.
  std::uint32_t parent = kNoParent;
  std::uint16_t launch = 0;  ///< in Timeline::launches
  std::uint16_t level = 0;   ///< of the subdivision
  SpanWork work = SpanWork::kBlocks;
};

/// One kernel, as the host launched it or, with dynamic parallelism, as often as the device did; on the CPU
/// one parallel loop.
struct TimelineLaunch {
  std::string kernel;        ///< as a profiler names it, without arguments: "life_compact_kernel"
  std::uint64_t blocks = 0;  ///< thread blocks; on the CPU pieces handed to threads
  // Of the GPU; all 0 on the CPU.
  Occupancy occupancy;           ///< of the kernel that is timed
  Occupancy recorded_occupancy;  ///< of its instrumented copy
};

/// All that a worker did, whether its spans were kept or not.
struct TimelineWorker {
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< nanoseconds, added up over all spans: what runs at once counts each
  std::uint64_t first_begin = 0;
  std::uint64_t last_end = 0;  ///< both 0 where it did nothing
};

struct Timeline {
  std::string clock;  ///< what was read: "%globaltimer", "steady clock"
  std::uint64_t resolution =
      1;  ///< nanoseconds: its smallest step that was seen. Begin and end are exact to it
  std::vector<TimelineLaunch> launches;
  std::vector<TimelineSpan> spans;  ///< by begin
  /// Spans that were not kept: beyond `most_spans`, those in the middle of a launch (SpanWindow), and of
  /// regions the last ones. `workers` has them.
  std::uint64_t spans_left_out = 0;
  std::vector<TimelineWorker> workers;  ///< all that there are: multiprocessors, OpenMP threads
  double milliseconds = 0;              ///< of the recorded work, measured as a step is
  /// The same of the same work by the kernels that are timed, right before: what recording adds is the
  /// difference.
  double plain_milliseconds = 0;
};

struct TimelineWish {
  LifeRule rule = {};                                 ///< life only
  std::uint64_t most_spans = std::uint64_t{1} << 16;  ///< 2 or more; each is some 50 bytes
};

/// Throws InputError for a wish that keeps fewer than two spans.
void validate(const TimelineWish& wish);

/// Throws MachineError where a device's clock has no step: it stands still, so that nothing can be recorded.
void require_clock(std::string_view clock, std::uint64_t resolution);

/// Puts the timeline into its form: spans by begin with parents that point to them, and all times counted
/// from the first begin of any worker. Parents are places in `spans` as it was; spans that launched and were
/// not kept leave kNoParent.
void order_spans(Timeline& timeline);

}  // namespace loom
