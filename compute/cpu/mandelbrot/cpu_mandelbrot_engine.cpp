#include <fmt/format.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cpu/available_memory.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/mandelbrot/dwell_batch.h"
#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/cpu/mandelbrot/region_work.h"
#include "compute/cpu/mandelbrot/smooth_image.h"
#include "compute/cpu/page_buffer.h"
#include "compute/cpu/run_recorder.h"
#include "compute/cpu/thread_pool.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/subdivision.h"
#include "compute/perturbation/evaluator.h"

namespace loom::cpu {
namespace {

/// The smallest number of rows that justifies waking a thread.
constexpr std::uint32_t kRowsAtATime = 4;
/// Divides rows into chunks for the threads.
void cut_to_pieces(const std::vector<RowRange>& rows, std::vector<RowRange>& pieces) {
  pieces.clear();
  for (const RowRange& range : rows) {
    for (std::uint32_t y = range.first; y < range.end; y += kRowsAtATime) {
      pieces.push_back({y, std::min(y + kRowsAtATime, range.end)});
    }
  }
}

/// The most pixels that are computed again in an image.
constexpr std::uint64_t kMaxUncertain = 1u << 22;

/// CPU time of this thread in nanoseconds, so that other threads on its core do not count towards a region's
/// cost.
std::uint64_t nanoseconds_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

/// The position of a region in a timeline.
struct RegionSpan {
  std::uint16_t launch = 0;
  std::uint16_t level = 0;
  std::uint64_t number = 0;          ///< number of the region in its level, or among its siblings
  std::uint32_t parent = kNoParent;  ///< the span id of the parent region
  std::uint32_t id = kNoParent;      ///< the region's own span id, once recorded
};

// The loops are compiled once for each recorder, so that the regular loops contain no instrumentation.

/// Records nothing.
struct NoRegionRecorder {
  void expect(std::uint64_t) {}
  std::uint64_t begin() const { return 0; }
  void end_region(std::uint64_t, RegionKind, RegionSpan&) {}
  void end_rows(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {}
  void end_mirror(std::uint64_t, std::uint16_t) {}
};

class RegionRecorder {
 public:
  explicit RegionRecorder(RunRecorder& to) : to_(to) {}
  void expect(std::uint64_t pieces) { to_.expect(pieces); }
  std::uint64_t begin() const { return RunRecorder::now(); }
  void end_region(std::uint64_t begin, RegionKind kind, RegionSpan& span) {
    SpanWork work = SpanWork::kSplit;
    if (kind == RegionKind::kFill) work = SpanWork::kFill;
    if (kind == RegionKind::kLeaf) work = SpanWork::kLeaf;
    span.id = note(0, begin, span.number, 1, work, span);
  }
  /// Records the pixels of `count` rows from `row` on, as item `piece` of those expected.
  void end_rows(std::uint64_t begin, std::uint64_t piece, std::uint64_t row, std::uint64_t count) {
    note(piece, begin, row, count, SpanWork::kPixels, {});
  }
  void end_mirror(std::uint64_t begin, std::uint16_t launch) {
    RegionSpan span;
    span.launch = launch;
    note(0, begin, 0, 1, SpanWork::kMirror, span);
  }

 private:
  std::uint32_t note(std::uint64_t piece, std::uint64_t begin, std::uint64_t block, std::uint64_t count,
                     SpanWork work, const RegionSpan& span) {
    return to_.note(piece, {.begin = begin,
                            .block = block,
                            .count = count,
                            .parent = span.parent,
                            .launch = span.launch,
                            .level = span.level,
                            .work = work});
  }
  RunRecorder& to_;
};

/// Dwells on the CPU, on OpenMP threads: exhaustive row by row, DP by recursive tasks, ASK level by level.
/// One thread processes a region, so that SBR and MBR are the same; dwells are stored as uint16 wherever the
/// limit allows it; block shape and queue have no effect.
class CpuMandelbrotEngine final : public MandelbrotPartition {
  /// Calls use(image) with the dwells as DwellImage<uint16> or DwellImage<uint32>.
  template <typename Use>
  auto with_dwells(const Use& use) const {
    if (fits_narrow(config_)) {
      return use(DwellImage<std::uint16_t>{reinterpret_cast<std::uint16_t*>(dwells_->data()), view_.width});
    }
    return use(DwellImage<std::uint32_t>{reinterpret_cast<std::uint32_t*>(dwells_->data()), view_.width});
  }
  /// Calls use(evaluator) with the evaluator of the configuration and the view.
  template <typename Use>
  auto with_evaluator(const Use& use) const {
    return with_cpu_evaluator<true>(config_, view_, perturbation_, monitor_, use);
  }

 public:
  /// Computes this partition of the rows of every image.
  explicit CpuMandelbrotEngine(const RowPartition& share) : share_(share) {}
  std::string backend_name() const override { return "cpu: " + threads_text(); }
  std::uint64_t allocated_bytes() const override {
    const std::uint64_t dwells = share_.is_whole() ? bytes_ : bytes_of_rows(rows_in_memory_);
    return dwells + (olt_read_.size() + olt_write_.size()) * sizeof(Coord32) +
           regions_.size() * sizeof(MandelbrotRegion);
  }
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override {
    NoRegionRecorder recorder;
    return compute_with(config, view, regions, recorder);
  }
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineOptions& options) override {
    loom::validate(options);
    compute(config, view, Regions::kCount);
    const double plain_milliseconds = compute(config, view, Regions::kCount).milliseconds;
    RunRecorder first(options.max_spans);
    RegionRecorder warming(first);
    compute_with(config, view, Regions::kCount, warming);
    RunRecorder notes(options.max_spans);
    RegionRecorder recorder(notes);
    const MandelbrotReport report = compute_with(config, view, Regions::kCount, recorder);
    Timeline timeline = notes.timeline();
    timeline.plain_milliseconds = plain_milliseconds;
    timeline.milliseconds = report.milliseconds;
    const Subdivision cut = make_subdivision(config_, view);
    std::uint64_t regions = 0;
    for (const MandelbrotLevel& level : report.levels) regions += level.regions;
    switch (config.method) {
      case MandelbrotMethod::kExhaustive:
        timeline.launches.push_back({"compute_rows", pieces_.size(), {}, {}});
        break;
      case MandelbrotMethod::kDp:
        timeline.launches.push_back({"compute_by_recursion", regions, {}, {}});
        break;
      case MandelbrotMethod::kAsk:
        for (std::uint32_t level = 0; level < cut.levels; ++level) {
          timeline.launches.push_back(
              {fmt::format("compute_by_level {}", level), report.levels[level].regions, {}, {}});
        }
        break;
    }
    if (cut.mirrored() && config.method != MandelbrotMethod::kExhaustive) {
      timeline.launches.push_back({"mirror", 1, {}, {}});
    }
    return timeline;
  }
  const MandelbrotConfig& config() const override { return config_; }
  const MandelbrotView& view() const override { return view_; }
  std::span<const RowRange> rows() const override {
    return holds_image_ ? rows_ : std::span<const RowRange>();
  }
  std::span<const MandelbrotRegion> regions() const override { return {regions_.data(), regions_listed_}; }
  ImageView image(MemorySpace space) override {
    if (space != MemorySpace::kHost)
      throw InputError("the CPU backend has no image in device memory; allowed: host memory");
    return {.pixels = holds_image_ ? dwells_->data() : nullptr,
            .format = fits_narrow(config_) ? PixelFormat::kDwell16 : PixelFormat::kDwell32,
            .width = holds_image_ ? static_cast<int>(view_.width) : 0,
            .height = holds_image_ ? static_cast<int>(view_.height) : 0,
            .row_bytes = view_.width * dwell_bytes()};
  }
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> out) const override {
    check_rows(view_, first_row, out.size());
    if (out.empty() || !holds_image_) return;
    with_dwells([&](const auto& image) {
      for_rows_within(rows_, view_, first_row, out, [&](std::uint32_t row, std::span<std::uint32_t> into) {
        std::copy_n(&image.at(0, row), into.size(), into.begin());
      });
    });
  }
  SmoothReport compute_smooth() override { return smooth_.compute(*this, perturbation_, monitor_); }
  ImageView smooth_image(MemorySpace space) override {
    if (space != MemorySpace::kHost)
      throw InputError("the CPU backend has no image in device memory; allowed: host memory");
    return smooth_.image();
  }
  DwellDifferences count_differences(std::size_t max_places) const override {
    if (!holds_image_) return {};
    return with_evaluator([&](const auto& evaluator) {
      return with_dwells([&](const auto& image) { return differences_as(evaluator, image, max_places); });
    });
  }
  void set_distribution(const DwellDistribution* distribution) override {
    share_.distribution = distribution;
  }
  void record_costs(bool note) override { records_costs_ = note; }
  std::span<const std::uint32_t> region_costs() const override { return costs_; }
  /// Returns nothing: partitions of the CPU are gathered in host memory.
  std::optional<ImageView> whole_image(std::span<const PartitionRows>, bool, MemorySpace) override {
    return {};
  }
  void count_dwells(std::span<std::uint64_t> counts) const override {
    std::fill(counts.begin(), counts.end(), 0);
    if (!holds_image_) return;
    // An allocation that fails in the parallel region would end the program.
    std::vector<std::vector<std::uint64_t>> of_thread(static_cast<std::size_t>(omp_get_max_threads()),
                                                      std::vector<std::uint64_t>(counts.size()));
    with_dwells([&](const auto& image) {
#pragma omp parallel
      {
        std::vector<std::uint64_t>& mine = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
        for (const RowRange& rows : rows_) {
#pragma omp for schedule(static) nowait
          for (std::uint32_t y = rows.first; y < rows.end; ++y) {
            for (std::uint32_t x = 0; x < view_.width; ++x) ++mine[image.at(x, y)];
          }
        }
#pragma omp critical
        for (std::size_t dwell = 0; dwell < mine.size(); ++dwell) counts[dwell] += mine[dwell];
      }
    });
  }

 private:
  /// Counts of one thread by level, on cache lines of their own.
  struct alignas(64) Tally {
    std::vector<MandelbrotLevel> levels;
    std::uint64_t tasks = 0;
  };

  /// Allocates memory for the rows of the view that are held.
  /// The address range covers the whole image; only the pages of held rows are backed by memory.
  void make_room() {
    const std::uint64_t needed = view_.pixels() * dwell_bytes();
    const bool elsewhere =
        !share_.is_whole() && (rows_ != rows_in_memory_ || view_.width != width_in_memory_);
    if (needed > bytes_ || elsewhere) {
      dwells_.reset();
      bytes_ = 0;
      rows_in_memory_.clear();
      dwells_.emplace(needed);
      bytes_ = needed;
    }
    rows_in_memory_ = rows_;
    width_in_memory_ = view_.width;
  }
  std::uint64_t bytes_of_rows(const std::vector<RowRange>& rows) const {
    return count_rows(rows) * width_in_memory_ * dwell_bytes();
  }
  std::size_t dwell_bytes() const {
    return fits_narrow(config_) ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
  }
  // Recorder records spans, or does nothing.
  template <typename Recorder>
  MandelbrotReport compute_with(const MandelbrotConfig& requested, const MandelbrotView& view,
                                Regions regions, Recorder& recorder) {
    const MandelbrotConfig config = resolved(requested, view);
    validate(config, view);
    if (is_perturbed(config.precision)) {
      if (is_perturbed(config_.precision)) holds_image_ = false;  // its evaluator is replaced
      prepare_perturbation(perturbation_, config, view, orbit_memory(), monitor_);
    }
    const Subdivision cut = make_subdivision(config, view);
    rows_held(share_, config, cut, next_rows_);
    const std::uint64_t needed = bytes_needed(config, view, regions == Regions::kList, next_rows_);
    if (needed > allocated_bytes()) {
      const std::uint64_t available = available_memory() + allocated_bytes();
      if (needed > available) throw make_capacity_error(view, needed, available);
    }
    config_ = config;
    view_ = view;
    regions_listed_ = 0;
    next_region_ = 0;
    holds_image_ = false;
    costs_.clear();
    std::swap(rows_, next_rows_);
    try {
      make_room();
      if (config.exact) uncertain_.resize(std::min(count_rows(rows_) * view.width, kMaxUncertain));
      const OltCapacity capacity = olt_capacity(cut, false);
      if (config.method == MandelbrotMethod::kAsk) {
        if (olt_read_.size() < capacity.even) olt_read_.resize(capacity.even);
        if (olt_write_.size() < capacity.odd) olt_write_.resize(capacity.odd);
      }
      if (regions == Regions::kList && config.method != MandelbrotMethod::kExhaustive) {
        regions_.resize(std::max<std::uint64_t>(regions_.size(), max_regions(cut)));
      }
      tallies_.resize(static_cast<std::size_t>(omp_get_max_threads()));
      for (Tally& tally : tallies_) {
        tally.levels.assign(cut.levels, {});
        tally.tasks = 0;
      }
    } catch (const std::bad_alloc&) {
      throw make_capacity_error(view, needed, available_memory() + allocated_bytes());
    }
    MandelbrotReport report;
    report.pixels = count_rows(rows_) * view.width;
    if (is_perturbed(config.precision)) report.perturbation = perturbation_.stats();
    double on_tables = 0;  // milliseconds
    uncertain_count_ = 0;
    const Stopwatch stopwatch;
    const ProgressScope call(monitor_, cut.mirrored() ? report.pixels / 2 + view.width : report.pixels);
    with_evaluator([&](const auto& evaluator) {
      with_dwells([&](const auto& image) {
        if constexpr (std::decay_t<decltype(evaluator)>::kEstimatesError) {
          auto listing = evaluator;
          listing.uncertain = {&uncertain_count_, uncertain_.data(), uncertain_.size()};
          compute_as(listing, image, report, regions, call, recorder);
          if (uncertain_count_ > 0)
            on_tables = correct<std::decay_t<decltype(evaluator)>>(image, report, call);
        } else {
          compute_as(evaluator, image, report, regions, call, recorder);
        }
      });
    });
    call.check();
    holds_image_ = true;
    report.milliseconds = stopwatch.milliseconds() - on_tables;
    report.allocated_bytes = allocated_bytes();
    return report;
  }
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_as(const Evaluator& grid, const DwellImage<Dwell>& image, MandelbrotReport& report,
                  Regions regions, const ProgressScope& call, Recorder& recorder) {
    if (config_.method == MandelbrotMethod::kExhaustive) {
      report.launches = 1;
      return compute_rows(grid, image, call, recorder);
    }
    const Subdivision cut = make_subdivision(config_, view_);
    report.levels.resize(cut.levels);
    const bool by_level = config_.method == MandelbrotMethod::kAsk;
    if (by_level) {
      compute_by_level(grid, image, cut, regions, call, report, recorder);
    } else {
      compute_by_recursion(grid, image, cut, regions, call, recorder);
    }
    if (call.cancelled()) return;
    if (cut.mirrored()) {
      const std::uint64_t begin = recorder.begin();
      mirror(grid, image, cut, call);
      report.launches += rows_.size();
      recorder.end_mirror(begin, static_cast<std::uint16_t>(by_level ? cut.levels : 1));
      note_mirror(share_, cut, rows_, report);
    }
    add_tallies(cut, report);
    if (regions == Regions::kCount) return;
    regions_listed_ = next_region_;
    std::sort(regions_.begin(), regions_.begin() + static_cast<std::ptrdiff_t>(regions_listed_),
              [](const MandelbrotRegion& a, const MandelbrotRegion& b) {
                return std::tie(a.level, a.y, a.x) < std::tie(b.level, b.y, b.x);
              });
  }
  /// Adds to the cost of the first region that contains the given region.
  void note_cost(const Subdivision& cut, std::uint32_t level, Coord32 place, std::uint64_t begin) {
    constexpr int kUnit = 4;  // 16 ns: 32 bits hold a minute
    const std::uint32_t of_first = parts_at(cut, level) / cut.first_parts;
    const std::size_t first = std::size_t{place.y / of_first} * cut.first_parts + place.x / of_first;
    const auto cost = static_cast<std::uint32_t>((nanoseconds_of_thread() - begin) >> kUnit) + 1;
    std::atomic_ref(costs_[first]).fetch_add(cost, std::memory_order_relaxed);
  }
  /// Processes the region at `place` of a level and counts it. Returns true if it must be split. `span` gives
  /// the region's launch and number; its `id` is set.
  template <typename Evaluator, typename Dwell, typename Recorder>
  bool visit(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut, RegionSpan& span,
             Coord32 place, Regions regions, const ProgressScope& call, Recorder& recorder) {
    const std::uint32_t level = span.level;
    const Region region = region_at(cut, parts_at(cut, level), place.x, place.y);
    if (region.empty() || call.cancelled()) return false;
    const std::uint64_t begin = recorder.begin();
    const RegionOutcome outcome = work_on_region(config_, grid, region, level + 1 == cut.levels, image, call);
    recorder.end_region(begin, outcome.kind, span);
    MandelbrotLevel& count = tallies_[static_cast<std::size_t>(omp_get_thread_num())].levels[level];
    const bool split = outcome.kind == RegionKind::kSplit;
    ++count.regions;
    count.filled += outcome.kind == RegionKind::kFill;
    count.leaves += outcome.kind == RegionKind::kLeaf;
    count.splits += split;
    if (split) count.children += std::uint64_t{cut.r} * cut.r;
    count.border_pixels += outcome.border_pixels;
    count.leaf_pixels += outcome.leaf_pixels;
    count.filled_pixels += outcome.filled_pixels;
    if (regions == Regions::kList) {
      regions_[next_region_++] = {
          region.x, region.y, region.width, region.height, static_cast<std::uint16_t>(level), outcome.kind};
    }
    return split;
  }
  void add_tallies(const Subdivision& cut, MandelbrotReport& report) const {
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      const std::uint32_t parts = parts_at(cut, level);
      report.levels[level].width = (cut.width + parts - 1) / parts;
      report.levels[level].height = (cut.height + parts - 1) / parts;
      for (const Tally& tally : tallies_) report.levels[level].add_counts(tally.levels[level]);
    }
    for (const Tally& tally : tallies_) report.launches += tally.tasks;
  }
  /// Computes the uncertain pixels of an exact computation by Evaluator again. Returns the milliseconds that
  /// the reference took.
  template <typename Evaluator, typename Dwell>
  double correct(const DwellImage<Dwell>& image, MandelbrotReport& report, const ProgressScope& call) {
    call.check();
    const ProgressScope part(monitor_, 1);  // of the call, without progress of its own
    const Stopwatch stopwatch;
    std::span<Coord32> pixels(uncertain_.data(),
                              std::min<std::uint64_t>(uncertain_count_, uncertain_.size()));
    std::uint64_t undecided = uncertain_count_ - pixels.size();
    double spent = 0;
    try {
      perturbation_.prepare_twice(available_memory());
      spent = stopwatch.milliseconds();
      const auto exact = perturbation_.evaluator<DoubleDouble, Evaluator::kHasExponent, true>();
#pragma omp parallel for schedule(dynamic)
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (call.cancelled()) continue;
        const OrbitResult<DoubleDouble> orbit = orbit_of(exact, pixels[i], config_.dwell_limit);
        image.at(pixels[i].x, pixels[i].y) = static_cast<Dwell>(orbit.dwell);
        if (!orbit.uncertain) pixels[i] = kDecidedPixel;
      }
      call.check();
      pixels = pixels.first(static_cast<std::size_t>(
          std::remove(pixels.begin(), pixels.end(), kDecidedPixel) - pixels.begin()));
      const auto dwells = perturbation_.fixed_point_dwells(*view_.decimal, pixels, config_.dwell_limit, part);
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (dwells[i]) image.at(pixels[i].x, pixels[i].y) = static_cast<Dwell>(*dwells[i]);
        undecided += dwells[i] ? 0 : 1;
      }
    } catch (const CapacityError&) {
      undecided = uncertain_count_;
    }
    report.perturbation = perturbation_.stats();
    report.perturbation->uncertain = uncertain_count_;
    report.perturbation->undecided = undecided;
    return spent;
  }
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_rows(const Evaluator& grid, const DwellImage<Dwell>& image, const ProgressScope& call,
                    Recorder& recorder) {
    cut_to_pieces(rows_, pieces_);
    recorder.expect(pieces_.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::uint64_t begin = recorder.begin();
      const RowRange rows = pieces_[i];
      compute_plainly(grid, {0, rows.first, view_.width, rows.count()}, config_.dwell_limit,
                      config_.optimisations.interior, image, call);
      recorder.end_rows(begin, i, rows.first, rows.count());
    }
  }
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_by_level(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                        Regions regions, const ProgressScope& call, MandelbrotReport& report,
                        Recorder& recorder) {
    Coord32* read = olt_read_.data();
    Coord32* write = olt_write_.data();
    first_regions_of(share_, cut, first_regions_);
    std::copy(first_regions_.begin(), first_regions_.end(), read);
    std::uint64_t entries = first_regions_.size();
    if (records_costs_) costs_.assign(cut.first_regions(), 0);
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      const Stopwatch stopwatch;
      if (entries > 0) ++report.launches;
      std::atomic<std::uint64_t> written = 0;
#pragma omp parallel for schedule(dynamic)
      for (std::uint64_t i = 0; i < entries; ++i) {
        const Coord32 place = read[i];
        RegionSpan span{static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(level), i};
        const std::uint64_t begin = records_costs_ ? nanoseconds_of_thread() : 0;
        const bool splits = visit(grid, image, cut, span, place, regions, call, recorder);
        if (records_costs_) note_cost(cut, level, place, begin);
        if (!splits) continue;
        std::uint64_t slot = written.fetch_add(std::uint64_t{cut.r} * cut.r);
        for (std::uint32_t y = 0; y < cut.r; ++y) {
          for (std::uint32_t x = 0; x < cut.r; ++x)
            write[slot++] = {place.x * cut.r + x, place.y * cut.r + y};
        }
      }
      entries = written;
      std::swap(read, write);
      report.levels[level].milliseconds = stopwatch.milliseconds();
    }
  }
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_by_recursion(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                            Regions regions, const ProgressScope& call, Recorder& recorder) {
    first_regions_of(share_, cut, first_regions_);
#pragma omp parallel
#pragma omp single
    for (std::size_t i = 0; i < first_regions_.size(); ++i) {
      const Coord32 place = first_regions_[i];
      const RegionSpan span{0, 0, i};
#pragma omp task default(shared) firstprivate(place, span)
      compute_in_task(grid, image, cut, span, place, regions, call, recorder);
    }
  }
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_in_task(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                       const RegionSpan& region, Coord32 place, Regions regions, const ProgressScope& call,
                       Recorder& recorder) {
    RegionSpan mine = region;
    ++tallies_[static_cast<std::size_t>(omp_get_thread_num())].tasks;
    if (!visit(grid, image, cut, mine, place, regions, call, recorder)) return;
    for (std::uint32_t y = 0; y < cut.r; ++y) {
      for (std::uint32_t x = 0; x < cut.r; ++x) {
        const Coord32 child{place.x * cut.r + x, place.y * cut.r + y};
        const RegionSpan span{0, static_cast<std::uint16_t>(mine.level + 1), std::uint64_t{y} * cut.r + x,
                              mine.id};
        // The grid, the cut and the call outlive the tasks: the parallel region waits for all of them.
#pragma omp task default(none) shared(grid, image, cut, call, recorder) firstprivate(span, child, regions)
        compute_in_task(grid, image, cut, span, child, regions, call, recorder);
      }
    }
  }
  /// The real axis and the rows below it, for an image whose upper half is computed.
  template <typename Evaluator, typename Dwell>
  void mirror(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
              const ProgressScope& call) {
    const std::uint32_t axis = view_.height / 2;
    if (holds_axis(share_, cut)) {
      compute_plainly(grid, {0, axis, view_.width, 1}, config_.dwell_limit, config_.optimisations.interior,
                      image, call);
    }
    for (const RowRange& rows : rows_) {
#pragma omp parallel for schedule(static)
      for (std::uint32_t y = std::max(axis + 1, rows.first); y < rows.end; ++y) {
        std::copy_n(&image.at(0, view_.height - y), view_.width, &image.at(0, y));
      }
    }
  }
  template <typename Evaluator, typename Dwell>
  DwellDifferences differences_as(const Evaluator& grid, const DwellImage<Dwell>& image,
                                  std::size_t max_places) const {
    const ProgressScope call(monitor_, count_rows(rows_));
    DwellDifferences found;
    std::uint64_t count = 0;
    // An allocation that fails in the parallel region would end the program.
    std::vector<std::pair<std::vector<Dwell>, std::vector<DwellDifference>>> of_thread(
        static_cast<std::size_t>(omp_get_max_threads()));
    for (auto& [expected, places] : of_thread) {
      expected.resize(view_.width);
      places.reserve(max_places);
    }
#pragma omp parallel reduction(+ : count)
    {
      auto& [expected, places] = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
      for (const RowRange& rows : rows_) {
#pragma omp for schedule(static) nowait
        for (std::uint32_t y = rows.first; y < rows.end; ++y) {
          if (call.cancelled()) continue;
          // One row, as an image that begins where this row would be.
          DwellBatch<Evaluator, Dwell> batch(grid, config_.dwell_limit, {}, {expected.data(), 0}, call);
          for (std::uint32_t x = 0; x < view_.width; ++x) batch.add(x, y);
          batch.flush();
          if (call.cancelled()) continue;  // some pixels of the row were not computed
          call.advance(1);
          for (std::uint32_t x = 0; x < view_.width; ++x) {
            const Dwell held = image.at(x, y);
            if (held == expected[x]) continue;
            if constexpr (Evaluator::kEstimatesError) {  // computed again with two doubles
              if (grid.run(x, y, config_.dwell_limit).uncertain) continue;
            }
            ++count;
            if (places.size() < max_places) places.push_back({{x, y}, held, expected[x]});
          }
        }
      }
    }
    for (const auto& [expected, places] : of_thread)
      found.places.insert(found.places.end(), places.begin(), places.end());
    call.check();
    found.count = count;
    std::sort(found.places.begin(), found.places.end(),
              [](const DwellDifference& a, const DwellDifference& b) {
                return std::tie(a.pixel.y, a.pixel.x) < std::tie(b.pixel.y, b.pixel.x);
              });
    // Each thread kept the first differences of its own rows, so that they include the overall first ones.
    if (found.places.size() > max_places) found.places.resize(max_places);
    return found;
  }

  RowPartition share_;
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;       ///< rows that are held
  std::vector<RowRange> next_rows_;  ///< rows of a computation whose memory is not allocated yet
  std::vector<RowRange> pieces_;     ///< chunks of rows that threads process
  std::vector<Coord32> first_regions_;
  bool records_costs_ = false;
  /// Of first regions, in units of 16 ns, of the last computation that recorded them.
  std::vector<std::uint32_t> costs_;
  std::uint64_t bytes_ = 0;  ///< size of dwells_
  std::optional<PageBuffer> dwells_;
  /// The rows that dwells_ has pages for; pages of rows outside of the current partition are released.
  std::vector<RowRange> rows_in_memory_;
  std::uint32_t width_in_memory_ = 0;
  Perturbation perturbation_;
  std::vector<Coord32> uncertain_;          ///< pixels, of an exact computation
  unsigned long long uncertain_count_ = 0;  ///< more than the list has room for are possible
  SmoothImage smooth_;
  bool holds_image_ = false;
  std::vector<Coord32> olt_read_;
  std::vector<Coord32> olt_write_;
  std::vector<Tally> tallies_;
  std::vector<MandelbrotRegion> regions_;
  std::atomic<std::uint64_t> next_region_ = 0;
  std::uint64_t regions_listed_ = 0;
};

}  // namespace

std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(const RowPartition& share) {
  return std::make_unique<CpuMandelbrotEngine>(share);
}

}  // namespace loom::cpu
