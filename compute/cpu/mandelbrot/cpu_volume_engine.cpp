#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cpu/available_memory.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/cpu/thread_pool.h"
#include "compute/solid/volume_engine.h"

namespace loom::cpu {
namespace {

constexpr std::size_t kLanes = 32;
/// Steps between two tests whether all lanes are done.
constexpr std::uint32_t kStride = 4;

/// The first values of orbits, and their c.
struct Orbits {
  double x[kLanes];
  double y[kLanes];
  double z[kLanes];
  double w[kLanes];
  double c_x[kLanes];
  double c_y[kLanes];
  double c_z[kLanes];
  double c_w[kLanes];
};

template <typename Step>
struct LanesOf {
  /// Computes the dwells of the orbits and overwrites their values.
  LOOM_EACH_VECTOR_WIDTH
  static void compute(Orbits& orbits, std::uint32_t limit, std::int64_t* dwells) {
    std::int64_t running[kLanes];  // -1 until the orbit escapes, then 0
    std::fill_n(running, kLanes, -1);
    std::fill_n(dwells, kLanes, 0);
    for (std::uint32_t done = 0; done < limit;) {
      const std::uint32_t end = std::min(limit, done + kStride);
      for (; done < end; ++done) {
#pragma omp simd
        for (std::size_t i = 0; i < kLanes; ++i) {
          const Quaternion v{orbits.x[i], orbits.y[i], orbits.z[i], orbits.w[i]};
          const std::int64_t inside = Step::is_inside(v) ? -1 : 0;
          running[i] &= inside;
          dwells[i] -= running[i];
          const Quaternion next =
              Step::next(v, Quaternion{orbits.c_x[i], orbits.c_y[i], orbits.c_z[i], orbits.c_w[i]});
          orbits.x[i] = next.x;
          orbits.y[i] = next.y;
          orbits.z[i] = next.z;
          orbits.w[i] = next.w;
        }
      }
      std::int64_t open = 0;
#pragma omp simd reduction(| : open)
      for (std::size_t i = 0; i < kLanes; ++i) open |= running[i];
      if (open == 0) return;
    }
  }
};

/// On OpenMP threads: exhaustive layer by layer, DP by recursive tasks, ASK level by level.
class CpuVolumeEngine final : public VolumeEngine {
 public:
  std::string backend_name() const override { return "cpu: " + threads_text(); }
  MandelbrotReport compute(const VolumeConfig& config) override;
  std::span<const VolumeSample> samples() override { return samples_; }
  VolumeDifferences count_differences() override;
  double draw(const SolidView& view, const VolumeLook& look, MemorySpace, SolidImage& image) override;

 private:
  struct alignas(64) Tally {
    std::array<MandelbrotLevel, kMaxSubdivisionLevels> levels = {};
    std::uint64_t tasks = 0;
  };
  class Batch;
  enum class Outcome { kEmpty, kEnds, kSplits };

  /// Before and after samples are computed: of a custom formula.
  void begin_run();
  void end_run();
  void compute_layers(const ProgressScope& call);
  Outcome visit(const VolumeSubdivision& cut, std::uint32_t level, Coord3 place, const ProgressScope& call);
  bool has_one_dwell(const VolumeRegion& region, MandelbrotLevel& count, Batch& batch);
  template <typename Entry>
  void compute_by_level(const VolumeSubdivision& cut, const ProgressScope& call, MandelbrotReport& report);
  void compute_in_task(const VolumeSubdivision& cut, std::uint32_t level, Coord3 place,
                       const ProgressScope& call);
  VolumeSample& at(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return samples_[sample_index(config_.size, {x, y, z})];
  }

  std::vector<VolumeSample> samples_;
  std::array<std::vector<double>, 3> points_;
  std::unique_ptr<FormulaRun> run_;  ///< of a custom formula; else null
  std::vector<Tally> tallies_;
  std::vector<std::uint32_t> pixels_;
  std::vector<std::uint32_t> misses_;  ///< bits (set_miss())
};

/// Collects samples and computes them together; flush() computes the rest.
class CpuVolumeEngine::Batch {
 public:
  Batch(const CpuVolumeEngine& engine, const ProgressScope& call)
      : config_(engine.config_), points_(engine.points_), run_(engine.run_.get()), call_(call) {}

  void add(std::uint32_t x, std::uint32_t y, std::uint32_t z, VolumeSample& sample) {
    const Quaternion point{points_[0][x], points_[1][y], points_[2][z], 0};
    const bool is_julia = config_.set == VolumeSet::kQuaternionJulia;
    const Quaternion c =
        is_julia ? Quaternion{config_.c[0], config_.c[1], config_.c[2], config_.c[3]} : point;
    orbits_.x[count_] = point.x;
    orbits_.y[count_] = point.y;
    orbits_.z[count_] = point.z;
    orbits_.w[count_] = point.w;
    orbits_.c_x[count_] = c.x;
    orbits_.c_y[count_] = c.y;
    orbits_.c_z[count_] = c.z;
    orbits_.c_w[count_] = c.w;
    samples_[count_] = &sample;
    if (++count_ == kLanes) flush();
  }

  void flush() {
    if (count_ == 0) return;
    const std::size_t count = std::exchange(count_, 0);
    if (call_.cancelled()) return;
    if (run_ != nullptr) {
      std::uint32_t dwells[kLanes];
      dwells_in_space(*run_, orbits_.x, orbits_.y, orbits_.z, count, config_.dwell_limit, dwells);
      for (std::size_t i = 0; i < count; ++i) *samples_[i] = static_cast<VolumeSample>(dwells[i]);
      return;
    }
    // Lanes without a sample of their own repeat the last one, so that they never run longest.
    for (double* const values :
         {orbits_.x, orbits_.y, orbits_.z, orbits_.w, orbits_.c_x, orbits_.c_y, orbits_.c_z, orbits_.c_w})
      std::fill(values + count, values + kLanes, values[count - 1]);
    with_volume_step(config_.set, config_.power, [&](auto step) {
      LanesOf<decltype(step)>::compute(orbits_, config_.dwell_limit, dwells_);
    });
    for (std::size_t i = 0; i < count; ++i) *samples_[i] = static_cast<VolumeSample>(dwells_[i]);
  }

 private:
  const VolumeConfig& config_;
  const std::array<std::vector<double>, 3>& points_;
  FormulaRun* run_;
  const ProgressScope& call_;
  std::size_t count_ = 0;
  Orbits orbits_;
  std::int64_t dwells_[kLanes];
  std::array<VolumeSample*, kLanes> samples_;
};

MandelbrotReport CpuVolumeEngine::compute(const VolumeConfig& config) {
  MandelbrotReport report = begin(config);
  const VolumeSubdivision cut(config);
  const std::uint64_t samples = report.pixels;
  const bool has_tables = config.method == MandelbrotMethod::kAsk;
  const std::uint64_t entry =
      config.order == RegionOrder::kCoordinates ? sizeof(Coord3) : sizeof(std::uint32_t);
  if (samples > samples_.size()) {
    samples_ = {};
    check_available(
        samples * sizeof(VolumeSample) + (has_tables ? 2 * entry * cut.regions_at(cut.levels - 1) : 0),
        "the volume");
  }
  samples_.resize(samples);
  for (std::size_t axis = 0; axis < 3; ++axis) points_[axis] = points_on_axis(config, axis);
  tallies_.assign(static_cast<std::size_t>(omp_get_max_threads()), {});
  begin_run();
  const ProgressScope call(monitor_, samples);
  const Stopwatch stopwatch;
  if (is_exhaustive()) {
    report.launches = 1;
    compute_layers(call);
  } else {
#pragma omp parallel for schedule(static)
    for (std::uint32_t z = 0; z < config.size; ++z)
      std::fill_n(&at(0, 0, z), std::size_t{config.size} * config.size, kUnknownSample);
    if (config.method == MandelbrotMethod::kDp) {
      const auto first = static_cast<std::uint32_t>(cut.regions_at(0));
#pragma omp parallel
#pragma omp single
      for (std::uint32_t i = 0; i < first; ++i) {
#pragma omp task default(shared) firstprivate(i)
        compute_in_task(cut, 0, place_of(config_.order, cut.g, i), call);
      }
    } else if (config.order == RegionOrder::kCoordinates) {
      compute_by_level<Coord3>(cut, call, report);
    } else {
      compute_by_level<std::uint32_t>(cut, call, report);
    }
    for (std::uint32_t level = 0; level < cut.levels; ++level) {
      for (const Tally& tally : tallies_) report.levels[level].add_counts(tally.levels[level]);
    }
    for (const Tally& tally : tallies_) report.launches += tally.tasks;
  }
  call.check();
  end_run();
  report.milliseconds = stopwatch.milliseconds();
  report.allocated_bytes = samples * sizeof(VolumeSample) + table_bytes_;
  return report;
}

void CpuVolumeEngine::begin_run() {
  run_.reset();
  if (config_.set == VolumeSet::kCustom)
    run_ = std::make_unique<FormulaRun>(config_.custom, true, monitor_, 3);
}

void CpuVolumeEngine::end_run() {
  if (run_) run_->check();
}

void CpuVolumeEngine::compute_layers(const ProgressScope& call) {
  const std::uint32_t n = config_.size;
  // The unit of work is a row of a layer.
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (std::uint32_t z = 0; z < n; ++z) {
    for (std::uint32_t y = 0; y < n; ++y) {
      if (call.cancelled()) continue;
      Batch batch(*this, call);
      for (std::uint32_t x = 0; x < n; ++x) batch.add(x, y, z, at(x, y, z));
      batch.flush();
      call.advance(n);
    }
  }
}

/// Computes the faces, a few spread samples first, which find most regions that split, then layer by layer.
bool CpuVolumeEngine::has_one_dwell(const VolumeRegion& region, MandelbrotLevel& count, Batch& batch) {
  const auto compute = [&](Coord3 place) {
    VolumeSample& sample = at(place.x, place.y, place.z);
    if (sample != kUnknownSample) return;
    batch.add(place.x, place.y, place.z, sample);
    ++count.border_pixels;
  };
  const VolumeSample& first = at(region.low.x, region.low.y, region.low.z);
  const auto differs = [&](Coord3 place) { return at(place.x, place.y, place.z) != first; };
  const std::uint64_t size = face_samples(region);
  const std::uint64_t stride = std::max<std::uint64_t>(1, size / (2 * kLanes));
  for (std::uint64_t i = 0; i < size; i += stride) compute(face_sample(region, i));
  batch.flush();
  for (std::uint64_t i = 0; i < size; i += stride) {
    if (differs(face_sample(region, i))) return false;
  }
  const std::uint32_t to_other_side = std::max(2u, region.high.x - region.low.x) - 1;
  for (std::uint32_t z = region.low.z; z < region.high.z; ++z) {
    const bool is_face = z == region.low.z || z + 1 == region.high.z;
    const auto for_faces = [&](const auto& use) {
      for (std::uint32_t y = region.low.y; y < region.high.y; ++y) {
        const bool is_row = is_face || y == region.low.y || y + 1 == region.high.y;
        for (std::uint32_t x = region.low.x; x < region.high.x; x += is_row ? 1 : to_other_side)
          use(Coord3{x, y, z});
      }
    };
    for_faces(compute);
    batch.flush();
    bool is_one = true;
    for_faces([&](Coord3 place) { is_one = is_one && !differs(place); });
    if (!is_one) return false;
  }
  return true;
}

CpuVolumeEngine::Outcome CpuVolumeEngine::visit(const VolumeSubdivision& cut, std::uint32_t level,
                                                Coord3 place, const ProgressScope& call) {
  const VolumeRegion region = volume_region_at(cut.size, cut.parts_at(level), place);
  if (region.empty() || call.cancelled()) return Outcome::kEmpty;
  MandelbrotLevel& count = tallies_[static_cast<std::size_t>(omp_get_thread_num())].levels[level];
  ++count.regions;
  Batch batch(*this, call);
  const bool is_one = has_one_dwell(region, count, batch);
  if (!is_one && level + 1 < cut.levels) {
    ++count.splits;
    count.children += std::uint64_t{cut.r} * cut.r * cut.r;
    return call.cancelled() ? Outcome::kEmpty : Outcome::kSplits;
  }
  ++(is_one ? count.filled : count.leaves);
  const VolumeSample filled = filled_sample(at(region.low.x, region.low.y, region.low.z), level);
  for (std::uint32_t z = region.low.z; z < region.high.z; ++z) {
    for (std::uint32_t y = region.low.y; y < region.high.y; ++y) {
      for (std::uint32_t x = region.low.x; x < region.high.x; ++x) {
        VolumeSample& sample = at(x, y, z);
        if (sample != kUnknownSample) continue;
        if (is_one) {
          sample = filled;
          ++count.filled_pixels;
        } else {
          batch.add(x, y, z, sample);
          ++count.leaf_pixels;
        }
      }
    }
  }
  batch.flush();
  call.advance(region.samples());
  return Outcome::kEnds;
}

template <typename Entry>
void CpuVolumeEngine::compute_by_level(const VolumeSubdivision& cut, const ProgressScope& call,
                                       MandelbrotReport& report) {
  const RegionOrder order = config_.order;
  constexpr bool kIsNumber = std::is_same_v<Entry, std::uint32_t>;
  const std::uint32_t parts_of_region = cut.r * cut.r * cut.r;
  const auto entry_of = [&](std::uint32_t parts, Coord3 place) {
    if constexpr (kIsNumber) {
      return number_of(order, parts, place);
    } else {
      return place;
    }
  };
  std::vector<Entry> table(cut.regions_at(0));
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    if constexpr (kIsNumber) {
      table[i] = i;
    } else {
      table[i] = place_of(order, cut.g, i);
    }
  }
  std::vector<Entry> next;
  each_level([&](std::uint32_t level, std::uint64_t regions, std::uint64_t most_parts) {
    const Stopwatch stopwatch;
    const std::uint32_t parts = cut.parts_at(level);
    if (regions > 0) ++report.launches;
    next.resize(most_parts);
    std::atomic<std::uint64_t> written = 0;
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t i = 0; i < regions; ++i) {
      Coord3 place;
      if constexpr (kIsNumber) {
        place = place_of(order, parts, table[i]);
      } else {
        place = table[i];
      }
      if (visit(cut, level, place, call) != Outcome::kSplits) continue;
      std::uint64_t slot = written.fetch_add(parts_of_region);
      if constexpr (kIsNumber) {
        if (is_curve(order)) {
          for (std::uint32_t part = 0; part < parts_of_region; ++part)
            next[slot++] = table[i] * parts_of_region + part;
          continue;
        }
      }
      for (std::uint32_t z = 0; z < cut.r; ++z) {
        for (std::uint32_t y = 0; y < cut.r; ++y) {
          for (std::uint32_t x = 0; x < cut.r; ++x) {
            next[slot++] =
                entry_of(parts * cut.r, {place.x * cut.r + x, place.y * cut.r + y, place.z * cut.r + z});
          }
        }
      }
    }
    std::swap(table, next);
    report.levels[level].milliseconds = stopwatch.milliseconds();
    return written.load();
  });
}

void CpuVolumeEngine::compute_in_task(const VolumeSubdivision& cut, std::uint32_t level, Coord3 place,
                                      const ProgressScope& call) {
  ++tallies_[static_cast<std::size_t>(omp_get_thread_num())].tasks;
  if (visit(cut, level, place, call) != Outcome::kSplits) return;
  for (std::uint32_t z = 0; z < cut.r; ++z) {
    for (std::uint32_t y = 0; y < cut.r; ++y) {
      for (std::uint32_t x = 0; x < cut.r; ++x) {
        const Coord3 part{place.x * cut.r + x, place.y * cut.r + y, place.z * cut.r + z};
        // The cut and the call outlive the tasks: the parallel region waits for all of them.
#pragma omp task default(none) shared(cut, call) firstprivate(level, part)
        compute_in_task(cut, level + 1, part, call);
      }
    }
  }
}

VolumeDifferences CpuVolumeEngine::count_differences() {
  const std::uint32_t n = config_.size;
  const ProgressScope call(monitor_, std::uint64_t{n} * n);
  std::uint64_t filled = 0;
  std::uint64_t others = 0;
  const VolumeSubdivision cut(config_);
  if (miss_words() > misses_.size()) check_available(miss_words() * sizeof(std::uint32_t), "marks of misses");
  misses_.assign(miss_words(), 0);
  const auto set = [&](std::uint64_t index) {
    std::atomic_ref(misses_[index / 32]).fetch_or(1u << (index % 32), std::memory_order_relaxed);
  };
  std::vector<std::vector<VolumeSample>> rows(static_cast<std::size_t>(omp_get_max_threads()),
                                              std::vector<VolumeSample>(n));
  begin_run();
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : filled, others)
  for (std::uint32_t z = 0; z < n; ++z) {
    for (std::uint32_t y = 0; y < n; ++y) {
      if (call.cancelled()) continue;
      std::vector<VolumeSample>& row = rows[static_cast<std::size_t>(omp_get_thread_num())];
      Batch batch(*this, call);
      for (std::uint32_t x = 0; x < n; ++x) batch.add(x, y, z, row[x]);
      batch.flush();
      const VolumeSample* const held = samples_.data() + std::size_t{n} * (y + std::size_t{n} * z);
      for (std::uint32_t x = 0; x < n; ++x) {
        if (row[x] == dwell_of(held[x])) continue;
        ++(is_filled(held[x]) ? filled : others);
        if (is_filled(held[x])) set_miss(cut, {x, y, z}, held[x], set);
      }
      call.advance(1);
    }
  }
  call.check();
  end_run();
  has_misses_ = true;
  return {filled, others};
}

double CpuVolumeEngine::draw(const SolidView& view, const VolumeLook& look, MemorySpace, SolidImage& image) {
  // A row is the unit of work of the exhaustive method.
  const VolumeScene scene = scene_of(samples_.data(), misses_.data(), look, {config_.size, 1, 1});
  const auto width = static_cast<std::size_t>(view.width);
  if (pixels_.size() < width * static_cast<std::size_t>(view.height))
    pixels_.resize(width * static_cast<std::size_t>(view.height));
  const ProgressScope call(monitor_, static_cast<std::uint64_t>(view.height));
  const Stopwatch stopwatch;
#pragma omp parallel for schedule(dynamic)
  for (int j = 0; j < view.height; ++j) {
    if (call.cancelled()) continue;
    std::uint32_t* const row = pixels_.data() + static_cast<std::size_t>(j) * width;
    for (int i = 0; i < view.width; ++i)
      row[i] = scene.has_overlays() ? volume_pixel<true>(scene, view, i, j)
                                    : volume_pixel<false>(scene, view, i, j);
  }
  call.check();
  image = {pixels_.data(), view.width, view.height};
  return stopwatch.milliseconds();
}

}  // namespace

std::unique_ptr<VolumeEngine> make_volume_engine() {
  return std::make_unique<CpuVolumeEngine>();
}

}  // namespace loom::cpu
