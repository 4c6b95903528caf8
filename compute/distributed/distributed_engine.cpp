#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/distributed/image_compositor.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {
namespace {

/// The largest number of generations between two exchanges.
constexpr std::uint32_t kMaxAtOnce = 32;

/// Life on the compact map, distributed over several devices of this process and of other processes, behind
/// the interface of one engine. If several processes take part, all must make the same calls in the same
/// order; sums and cells that are read are then the same in all of them.
class DistributedEngine final : public FractalEngine {
 public:
  /// `parts` are this process's own partitions, at least one; `count` is the number of partitions of all
  /// processes. `picture` composes images from device memory; null, or if partitions do not support it:
  /// images are composed in host memory.
  DistributedEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPartition>> parts,
                    std::uint32_t count, std::unique_ptr<HaloExchange> exchange,
                    std::unique_ptr<ImageCompositor> picture)
      : FractalEngine(config),
        fractal_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
        parts_(std::move(parts)),
        count_(count),
        exchange_(std::move(exchange)),
        picture_(std::move(picture)) {
    for (const auto& part : parts_) {
      own_.push_back(part.get());
      on_devices_ = on_devices_ && part->messages().stream;
      if (part->sums_stream() == nullptr) picture_ = nullptr;
    }
    if (on_devices_ && parts_.size() > 1) threads_ = std::make_unique<PartitionThreads>(parts_.size());
    if (shared() || !picture_) picture_ = make_host_compositor(*exchange_, threads_.get());
    max_generations_per_exchange_ = agree_on_generations_per_exchange();
  }
  // Another device may still be reading a partition's memory, so that all must be idle before any is
  // destroyed.
  ~DistributedEngine() override {
    for (FractalPartition* const part : own_) {
      try {
        part->engine().wait_for_frame();
      } catch (const std::exception&) {  // the device has failed, and no work is in progress
      }
    }
  }

  std::uint32_t max_generations_per_exchange() const { return max_generations_per_exchange_; }
  std::string backend_name() const override {
    return fmt::format("{}, {} parts, {}", parts_.front()->engine().backend_name(), count_,
                       exchange_->name());
  }
  void wait_for_compilation() const override {
    for (const auto& part : parts_) part->engine().wait_for_compilation();
  }
  bool is_compilation_done() const override {
    return std::ranges::all_of(parts_, [](const auto& part) { return part->engine().is_compilation_done(); });
  }
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t allocated_bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& part : parts_) bytes += part->engine().allocated_bytes();
    return bytes;
  }
  StepReport reset(const RandomStart& start) override {
    const Stopwatch stopwatch;
    reset_all([&](FractalEngine& part) { part.reset(start); });
    return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
  }
  StepReport clear() override {
    const Stopwatch stopwatch;
    reset_all([](FractalEngine& part) { part.clear(); });
    return {.milliseconds = stopwatch.milliseconds(), .allocated_bytes = allocated_bytes()};
  }
  StepReport run(std::uint32_t times, const Work& work) override {
    const ProgressScope call(monitor_, times);
    std::uint32_t done = 0;
    std::uint64_t sum = 0;
    if (times > 0) fit_parts(work);
    begin_timing();
    while (done < times && !call.cancelled()) {
      std::uint32_t at_once = 1;
      if (work.workload == Workload::kLife) {
        at_once = std::min(times - done, max_generations_per_exchange_);
        step(work.rule, at_once, done + at_once == times);
      } else {
        sum = 0;
        for (FractalPartition* const part : own_) sum += part->engine().run(1, work).sum;
        exchange_->sum({&sum, 1});
        if (work.workload == Workload::kSingleWrite) {
          ++generation_;
          halos_valid_ = false;
        }
      }
      done += at_once;
      call.advance(at_once);
    }
    end_timing();
    StepReport report = work_costs(cell_count(), work.workload, done);
    report.milliseconds = wait();
    report.allocated_bytes = allocated_bytes();
    report.sum = sum;
    return report;
  }
  /// If partitions have no sums on devices, the image is in host memory whatever `space` is; the image says
  /// so.
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override {
    picture_->begin(own_, viewport, space, monitor_);
    const ImageCompositor::Result made = picture_->end();
    image = made.image;
    return {.milliseconds = made.milliseconds, .allocated_bytes = allocated_bytes()};
  }
  std::optional<std::uint8_t> cell(Coord64 expanded) const override {
    std::optional<std::uint8_t> state;
    for (FractalPartition* const part : own_) {
      const std::optional<std::uint8_t> found = part->engine().cell(expanded);
      if (found) state = std::max(state.value_or(0), *found);
    }
    if (!state) return state;
    std::uint64_t sum = *state;
    exchange_->sum({&sum, 1});
    return static_cast<std::uint8_t>(sum);
  }
  std::uint64_t edit(std::span<const CellEdit> edits) override {
    std::uint64_t edited = 0;
    // Each partition counts the edits of all cells.
    for (FractalPartition* const part : own_) edited = part->engine().edit(edits);
    if (edited > 0) halos_valid_ = false;
    if (config().method.storage == CellStorage::kBytes) {
      for (const CellEdit& edit : edits) hold(edit.state);
    }
    return edited;
  }
  // Earlier work of other engines on one of these devices must end first, so that each engine is timed
  // separately. Edits are few, and waited for.
  void begin_frame(const FrameRequest& request) override {
    if (request.after != nullptr) request.after->wait_for_frame();
    is_enqueued_ = on_devices_ && picture_->is_enqueued() && monitor_ == nullptr &&
                   request.work.workload == Workload::kLife;
    if (!is_enqueued_) {
      pending_frame_ = run_synchronous_frame(*this, request, monitor_);
      return;
    }
    pending_frame_ = {};
    probe_ = request.probe;
    image_pending_ = request.viewport != nullptr;
    if (image_pending_) picture_->reserve(own_, *request.viewport, request.space);
    const Stopwatch stopwatch;
    pending_frame_.edited = edit(request.edits);
    pending_frame_.edit_milliseconds = stopwatch.milliseconds();
    if (request.generations > 0) fit_parts(request.work);
    begin_timing();
    for (std::uint32_t done = 0; done < request.generations;) {
      const std::uint32_t at_once = std::min(request.generations - done, max_generations_per_exchange_);
      done += at_once;
      step(request.work.rule, at_once, done == request.generations);
    }
    end_timing();
    pending_frame_.step = work_costs(cell_count(), Workload::kLife, request.generations);
    if (image_pending_) picture_->begin(own_, *request.viewport, request.space, nullptr);
  }
  FrameReport end_frame() override {
    if (!is_enqueued_) return pending_frame_;
    is_enqueued_ = false;
    pending_frame_.step.milliseconds = wait();
    pending_frame_.step.allocated_bytes = allocated_bytes();
    if (image_pending_) {
      const ImageCompositor::Result made = picture_->end();
      pending_frame_.image = made.image;
      pending_frame_.resolve = {.milliseconds = made.milliseconds, .allocated_bytes = allocated_bytes()};
    }
    if (probe_) pending_frame_.probed = cell(*probe_);
    return pending_frame_;
  }
  void wait_for_frame() const override {
    for (FractalPartition* const part : own_) part->engine().wait_for_frame();
  }
  Census census() const override {
    const ProgressScope call(monitor_, parts_.size());
    std::atomic<std::uint64_t> population = 0;
    std::atomic<std::uint64_t> hash = 0;
    in_all_parts(call, [&](const FractalEngine& part) {
      const Census census = part.census();
      population += census.population;
      hash += census.hash;
    });
    std::uint64_t sums[2] = {population, hash};
    exchange_->sum(sums);
    return {sums[0], sums[1]};
  }
  ThreadCount count_threads() const override {
    ThreadCount count;
    for (FractalPartition* const part : own_) count += part->engine().count_threads();
    const auto counts = std::to_array({&count.thread_blocks, &count.tiles_launched, &count.tiles_occupied,
                                       &count.threads_launched, &count.threads_active,
                                       &count.threads_without_tile, &count.threads_misplaced});
    std::array<std::uint64_t, counts.size()> sums{};
    std::ranges::transform(counts, sums.begin(), [](const std::uint64_t* each) { return *each; });
    exchange_->sum(sums);
    for (std::size_t i = 0; i < counts.size(); ++i) *counts[i] = sums[i];
    return count;
  }
  /// Throws InputError: a timeline covers a single device.
  Timeline record_timeline(const TimelineOptions&) override {
    throw InputError(
        "a timeline of thread blocks covers a single device; allowed: one device and --storage bytes");
  }
  DeviceTimeline record_devices(LifeRule rule) override {
    fit_parts({.rule = rule});
    if (shared())
      throw InputError(
          "the devices of several processes cannot be recorded; allowed: devices of one process");
    exchange_halos();
    DeviceTimeline times;
    step_and_roll_back(rule);
    begin_timing();
    step(rule, 1, false);
    end_timing();
    times.plain_milliseconds = wait();
    roll_back();
    for (FractalPartition* const part : own_)
      times.clock_uncertainty = std::max(times.clock_uncertainty, part->begin_recording());
    step_and_roll_back(rule);
    begin_timing();
    recorded_step(rule);
    end_timing();
    times.milliseconds = wait();
    roll_back();
    times.clock = own_.front()->clock_name();
    for (FractalPartition* const part : own_)
      times.devices.push_back({part->device_name(), part->recorded()});
    rebase_to_first_begin(times);
    return times;
  }
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override {
    check_cell_range(cell_count(), first, cells.size());
    read_all(cells,
             [&](const FractalEngine& part, std::span<std::uint8_t> into) { part.read_cells(first, into); });
  }
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override {
    check_cell_range(cell_count(), first, cells.size());
    const ProgressScope call(monitor_, parts_.size());
    halos_valid_ = false;
    if (config().method.storage == CellStorage::kBytes) hold(cells);
    in_all_parts(call, [&](FractalEngine& part) { part.write_cells(first, cells); });
  }
  void read_bits(std::span<std::uint8_t> bits) const override {
    check_bits(bits.size());
    read_all(bits, [](const FractalEngine& part, std::span<std::uint8_t> into) { part.read_bits(into); });
  }
  void write_bits(std::span<const std::uint8_t> bits) override {
    if (const std::uint32_t planes = check_bits(bits.size());
        planes > 1 && config().method.storage == CellStorage::kBytes)
      states_ = std::max(states_, std::min(1u << planes, LifeRule::kMaxStates));
    const ProgressScope call(monitor_, parts_.size());
    halos_valid_ = false;
    in_all_parts(call, [&](FractalEngine& part) { part.write_bits(bits); });
  }
  void set_generation(std::uint64_t generation) override {
    generation_ = generation;
    for (FractalPartition* const part : own_) part->engine().set_generation(generation);
  }

 private:
  /// Calls `use(partition's engine)` for each partition, monitored as this engine is.
  template <typename Use>
  void for_each_part(const ProgressScope& call, const Use& use) const {
    for (const auto& part : parts_) {
      const ScopedMonitor watched(part->engine(), monitor_);
      call.part(1, [&] { use(part->engine()); });
    }
  }
  /// The same for all partitions concurrently if they are on devices and no monitor is set. (A monitor covers
  /// one call at a time.)
  template <typename Use>
  void in_all_parts(const ProgressScope& call, const Use& use) const {
    if (monitor_ != nullptr || !threads_) {
      for_each_part(call, use);
    } else {
      threads_->run([&](std::size_t part) { use(parts_[part]->engine()); });
    }
  }
  /// reset() or clear() of all partitions or, if cancelled, of none.
  template <typename Use>
  void reset_all(const Use& use) {
    const ProgressScope call(monitor_, parts_.size());
    halos_valid_ = false;
    std::size_t renewed = 0;
    try {
      in_all_parts(call, [&](FractalEngine& part) {
        use(part);
        if (monitor_ != nullptr) ++renewed;
      });
    } catch (const OperationCancelled&) {
      for (std::size_t i = 0; i < renewed; ++i) parts_[i]->roll_back_reset(generation_);
      throw;
    }
    begin_anew();
  }
  /// Combines the reads of all partitions; `read(part, bytes)` reads one partition with all other cells dead.
  /// Cells of other partitions read as dead, so that the bitwise OR of all reads is the complete state.
  template <typename Read>
  void read_all(std::span<std::uint8_t> bytes, const Read& read) const {
    const ProgressScope call(monitor_, parts_.size());
    const auto add = [&](const std::vector<std::uint8_t>& of_part) {
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] |= of_part[i];
    };
    std::vector<std::vector<std::uint8_t>> of_others(parts_.size() - 1);
    if (monitor_ == nullptr && threads_) {
      for (auto& of_part : of_others) of_part.resize(bytes.size());
      threads_->run([&](std::size_t part) {
        read(parts_[part]->engine(), part == 0 ? bytes : std::span(of_others[part - 1]));
      });
      for (const auto& of_part : of_others) add(of_part);
    } else {
      if (!of_others.empty()) of_others.front().resize(bytes.size());
      bool begun = false;
      for_each_part(call, [&](const FractalEngine& part) {
        read(part, begun ? std::span(of_others.front()) : bytes);
        if (begun) add(of_others.front());
        begun = true;
      });
    }
    if (!shared()) return;
    std::vector<std::uint64_t> eight((bytes.size() + 7) / 8);  // no byte or bit of a sum overflows
    std::memcpy(eight.data(), bytes.data(), bytes.size());
    exchange_->sum(eight);
    std::memcpy(bytes.data(), eight.data(), bytes.size());
  }
  /// Prepares the cells of all partitions for work.
  void fit_parts(const Work& work) {
    if (const std::string reason = distributed_work_problem(work); !reason.empty()) throw InputError(reason);
    if (states_ > states_of(work)) halos_valid_ = false;
    fit_cells(work);
    for (FractalPartition* const part : own_) part->engine().fit_cells(work);
  }
  // Boundaries are computed first, so that the exchange overlaps with the interiors. Devices get their
  // interiors enqueued first: boundaries have a higher priority there, and no device waits until work has
  // been enqueued on all others.
  void step(LifeRule rule, std::uint32_t times, bool last) {
    exchange_halos();
    const auto step_insides = [&] {
      for (FractalPartition* const part : own_) part->step_interior(rule, times, last);
    };
    if (on_devices_) step_insides();
    for (FractalPartition* const part : own_) part->begin_generations(rule, times);
    exchange_->start(own_);
    if (!on_devices_) step_insides();
    exchange_->finish();
    for (FractalPartition* const part : own_) part->end_generations(times);
    generation_ += times;
  }
  /// A step that records each piece.
  /// The same pieces as step(), in the same order. Keep both functions consistent.
  void recorded_step(LifeRule rule) {
    const auto begin = [this](DeviceWork work) {
      for (FractalPartition* const part : own_) part->note_begin(work);
    };
    const auto end = [this](DeviceWork work) {
      for (FractalPartition* const part : own_) part->note_end(work);
    };
    const auto noted = [](FractalPartition& part, DeviceWork work, const auto& piece) {
      part.note_begin(work);
      piece();
      part.note_end(work);
    };
    const auto step_insides = [&] {
      for (FractalPartition* const part : own_)
        noted(*part, DeviceWork::kInterior, [&] { part->step_interior(rule, 1, false); });
    };
    if (on_devices_) step_insides();
    for (FractalPartition* const part : own_)
      noted(*part, DeviceWork::kBoundary, [&] { part->begin_generations(rule, 1); });
    begin(DeviceWork::kExchange);
    exchange_->start(own_);
    end(DeviceWork::kExchange);
    if (!on_devices_) step_insides();
    exchange_->finish();
    for (FractalPartition* const part : own_) {
      noted(*part, DeviceWork::kScatter,
            [&] { noted(*part, DeviceWork::kUnpack, [&] { part->end_generations(1); }); });
    }
    ++generation_;
  }
  /// A generation that is rolled back.
  /// Does not wait, so that the next generation begins as it does in the middle of a long run.
  void step_and_roll_back(LifeRule rule) {
    step(rule, 1, false);
    roll_back();
  }
  /// Rolls back to the previous generation.
  void roll_back() {
    --generation_;
    for (FractalPartition* const part : own_) part->roll_back_generation();
  }
  void begin_timing() {
    for (FractalPartition* const part : own_) part->begin_timing();
  }
  void end_timing() {
    for (FractalPartition* const part : own_) part->end_timing();
  }
  /// Waits for all enqueued work. Returns the milliseconds of the slowest device for the timed work.
  double wait() {
    double milliseconds = 0;
    for (FractalPartition* const part : own_) milliseconds = std::max(milliseconds, part->wait());
    return milliseconds;
  }
  /// Exchanges the halos after cells changed by something other than a generation.
  void exchange_halos() {
    if (halos_valid_) return;
    for (FractalPartition* const part : own_) part->pack_boundary();
    exchange_->start(own_);
    exchange_->finish();
    for (FractalPartition* const part : own_) part->unpack_halo();
    halos_valid_ = true;
  }
  bool shared() const { return count_ > parts_.size(); }
  /// The number of generations per exchange that all partitions support, including those of other processes.
  /// The minimum over all partitions. Processes can only add values, so that the partitions with each value
  /// are counted.
  std::uint32_t agree_on_generations_per_exchange() {
    std::array<std::uint64_t, kMaxAtOnce + 1> parts_with{};
    for (const FractalPartition* const part : own_)
      ++parts_with[std::min(part->max_generations_per_exchange(), kMaxAtOnce)];
    exchange_->sum(parts_with);
    std::uint32_t least = 1;
    while (least < kMaxAtOnce && parts_with[least] == 0) ++least;
    return least;
  }

  TiledFractal fractal_;
  std::vector<std::unique_ptr<FractalPartition>> parts_;
  std::vector<FractalPartition*> own_;
  std::uint32_t count_;
  bool on_devices_ = true;  ///< true if every own partition is on a device
  /// If several partitions are on devices; partitions of the CPU share its threads.
  std::unique_ptr<PartitionThreads> threads_;
  std::unique_ptr<HaloExchange> exchange_;
  std::uint32_t max_generations_per_exchange_ = 1;
  bool halos_valid_ = false;  ///< the partitions' halos match their current cells
  std::unique_ptr<ImageCompositor> picture_;
  FrameReport pending_frame_;
  bool is_enqueued_ = false;  ///< the work that pending_frame_ reports is in progress
  bool image_pending_ = false;
  std::optional<Coord64> probe_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config,
                                                       std::vector<std::unique_ptr<FractalPartition>> parts,
                                                       std::uint32_t count,
                                                       std::unique_ptr<HaloExchange> exchange,
                                                       std::unique_ptr<ImageCompositor> picture) {
  return std::make_unique<DistributedEngine>(config, std::move(parts), count, std::move(exchange),
                                             std::move(picture));
}

std::uint32_t max_generations_per_exchange(const FractalEngine& distributed) {
  return dynamic_cast<const DistributedEngine&>(distributed).max_generations_per_exchange();
}

}  // namespace loom
