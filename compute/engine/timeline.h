#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/host_device.h"
#include "compute/engine/occupancy.h"
#include "compute/workload/game_of_life.h"

namespace loom {

// When and where each part of a launch ran, recorded by an instrumented copy of the kernels (on the CPU, of
// the loop over chunks of tiles). The copies call the same device functions as the regular kernels and read a
// clock before and after; the regular kernels contain no instrumentation.
//
// A worker is a hardware unit that runs several work items concurrently or one after the other: a
// multiprocessor of the GPU, or an OpenMP thread of the CPU. A span is the time that one thread block spent
// on one kind of work; spans of a worker may overlap.

/// The kind of work of a span.
enum class SpanWork : std::uint8_t {
  kBlocks,  ///< life: the rho x rho tiles of a thread block, or of a chunk on the CPU
  kPixels,  ///< the exhaustive Mandelbrot method: all pixels
  kBorder,  ///< a region's border, including the test for a uniform dwell
  // The work on a region after its border; on the CPU, the border is part of the same span.
  kFill,    ///< filling a region, or a part of it, with the border's dwell
  kLeaf,    ///< computing a region of the last level, or a part of it
  kSplit,   ///< writing a region's children to the table (ASK), launching them (DP) or creating their tasks
  kMirror,  ///< for a mirrored image, the real axis and the copy of the rows beyond it; on the CPU
};
/// "blocks", "pixels", "border", "fill", "leaf", "split", "mirror".
std::string_view name_of(SpanWork work);

/// The span was launched by the host, not by another span.
inline constexpr std::uint32_t kNoParent = 0xffffffffu;

struct TimelineSpan {
  std::uint64_t begin = 0;  ///< nanoseconds since the timeline's start
  std::uint64_t end = 0;    ///< nanoseconds since the timeline's start, >= begin: when the last thread of the
                            ///< thread block ended
  /// The row-major number of the thread block in its launch; on the CPU, the number of the chunk's first rho
  /// x rho tile, of the first pixel row, or of the region in its level.
  std::uint64_t block = 0;
  std::uint64_t count = 1;  ///< on the CPU, the number of tiles, rows or regions; on the GPU, 1
  std::uint32_t worker = 0;
  /// Dynamic parallelism: the index in Timeline::spans of the span whose thread block launched this span's
  /// grid. All thread blocks of one grid have the same parent. On the CPU, the parent of a task.
  std::uint32_t parent = kNoParent;
  std::uint16_t launch = 0;  ///< index in Timeline::launches
  std::uint16_t level = 0;   ///< level of the subdivision
  SpanWork work = SpanWork::kBlocks;
};

/// One kernel, launched by the host or, with dynamic parallelism, several times by the device; on the CPU,
/// one parallel loop.
struct TimelineLaunch {
  std::string kernel;        ///< name without arguments, as profilers print it: "life_compact_kernel"
  std::uint64_t blocks = 0;  ///< thread blocks; on the CPU, work items
  // GPU only; all 0 on the CPU.
  Occupancy occupancy;           ///< of the regular kernel
  Occupancy recorded_occupancy;  ///< of its instrumented copy
};

/// Totals of a worker over all spans, kept or not.
struct TimelineWorker {
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< nanoseconds, the sum over all spans; concurrent spans are counted each
  std::uint64_t first_begin = 0;
  std::uint64_t last_end = 0;  ///< first_begin and last_end are 0 if the worker had no spans
};

struct Timeline {
  std::string clock;             ///< name of the clock: "%globaltimer", "steady clock"
  std::uint64_t resolution = 1;  ///< nanoseconds: the smallest observed step of the clock, which limits the
                                 ///< precision of begin and end
  std::vector<TimelineLaunch> launches;
  std::vector<TimelineSpan> spans;  ///< ordered by begin
  /// The number of spans that were not kept: beyond `max_spans`, those in the middle of a launch
  /// (SpanWindow) and, for regions, the last ones. `workers` includes them.
  std::uint64_t spans_left_out = 0;
  std::vector<TimelineWorker> workers;  ///< all multiprocessors or OpenMP threads
  double milliseconds = 0;              ///< duration of the recorded work, measured as a step is
  /// Duration of the same work by the regular kernels, measured immediately before. The difference is the
  /// recording overhead.
  double plain_milliseconds = 0;
};

struct TimelineOptions {
  LifeRule rule = {};                                ///< life only
  std::uint64_t max_spans = std::uint64_t{1} << 16;  ///< 2 or more; each takes about 50 bytes
};

/// Throws InputError for options that keep fewer than two spans.
void validate(const TimelineOptions& options);

/// Throws MachineError if a device's clock has no resolution because it does not advance, so that nothing can
/// be recorded.
void require_clock(std::string_view clock, std::uint64_t resolution);

/// Finishes a timeline: orders spans by begin, adjusts parents to the new order, and rebases all times to the
/// first begin of any worker. On input, parents are indices into `spans` as it is; a parent that was not kept
/// becomes kNoParent.
void order_spans(Timeline& timeline);

/// Selects the work items of a launch whose spans a timeline keeps, if there are more than it can hold: the
/// first and the last ones, half each, so that both the beginning and the tail are recorded without gaps. The
/// items between them only contribute to sums.
class SpanWindow {
 public:
  SpanWindow() = default;
  SpanWindow(std::uint64_t pieces, std::uint64_t most)
      : pieces_(pieces),
        head_(pieces <= most ? pieces : most - most / 2),
        tail_(pieces <= most ? 0 : most / 2) {}

  LOOM_HOST_DEVICE std::uint64_t size() const { return head_ + tail_; }
  LOOM_HOST_DEVICE std::uint64_t left_out() const { return pieces_ - size(); }
  LOOM_HOST_DEVICE bool holds(std::uint64_t piece) const { return piece < head_ || piece >= pieces_ - tail_; }
  /// The index of a kept item's span, 0..size() - 1.
  LOOM_HOST_DEVICE std::uint64_t slot(std::uint64_t piece) const {
    return piece < head_ ? piece : piece - left_out();
  }

 private:
  std::uint64_t pieces_ = 0;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
};

// Timeline of one generation on several devices that share one fractal (distributed/distributed_engine.cpp).

/// Kinds of work of a device.
enum class DeviceWork : std::uint8_t {
  kBoundary,  ///< steps the boundary cells, which are sent to other partitions
  kExchange,  ///< transfers boundary and halo cells, including the wait for senders
  kInterior,  ///< steps all other cells
  kScatter,   ///< scatters the boundary cells into their positions
  kUnpack,    ///< unpacks the received halo
};
/// "boundary", "exchange", "inside", "place", "take".
std::string_view name_of(DeviceWork work);

struct DeviceWorkSpan {
  DeviceWork work = DeviceWork::kBoundary;
  std::uint64_t begin = 0;  ///< nanoseconds since the first begin on any device
  std::uint64_t end = 0;    ///< nanoseconds since the first begin on any device, >= begin
  friend bool operator==(const DeviceWorkSpan&, const DeviceWorkSpan&) = default;
};

/// One generation. Spans of a device may overlap, because it exchanges while it computes.
struct DeviceTimeline {
  struct Device {
    std::string name;  ///< "cuda:1 NVIDIA H200", "part 2 of the CPU"
    std::vector<DeviceWorkSpan> spans;
  };
  std::string clock;                    ///< name of the clock
  std::uint64_t clock_uncertainty = 0;  ///< uncertainty of the alignment of the devices' clocks, nanoseconds
  std::vector<Device> devices;          ///< in the order of the parts
  double milliseconds = 0;              ///< duration of the recorded generation, measured as a step is
  double plain_milliseconds = 0;  ///< duration of a generation without recording, measured immediately before
};

/// The time breakdown of a device, from the first begin on any device to the last end on any device, in
/// nanoseconds. step + shown + wait is the total.
struct DeviceTimeBreakdown {
  std::uint64_t step = 0;      ///< computing
  std::uint64_t exchange = 0;  ///< exchanging, whether hidden behind computation or not
  std::uint64_t shown = 0;     ///< the part of exchange that computation does not hide
  std::uint64_t wait = 0;      ///< idle, waiting for the other devices
};
DeviceTimeBreakdown time_breakdown(const DeviceTimeline& times, std::size_t device);

/// Rebases all begins and ends, which must use the same clock, to the first begin.
void rebase_to_first_begin(DeviceTimeline& times);

}  // namespace loom
