#include "compute/split/split_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>

#include "compute/core/error.h"
#include "compute/engine/packed_cells.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"

namespace loom {
namespace {

using Clock = std::chrono::steady_clock;

/// The largest number of generations between two exchanges.
constexpr std::uint32_t kMostAtOnce = 32;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

SplitEngine::SplitEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPart>> parts,
                         std::uint32_t count, std::unique_ptr<PartExchange> exchange,
                         std::unique_ptr<PartPicture> picture)
    : config_(config),
      fractal_(make_blocked(config.fractal, config.level, config.block)),
      parts_(std::move(parts)),
      count_(count),
      exchange_(std::move(exchange)),
      picture_(std::move(picture)) {
  for (const auto& part : parts_) {
    own_.push_back(part.get());
    on_devices_ = on_devices_ && part->messages().cuda_device >= 0;
    if (part->sums_stream() == nullptr) picture_ = nullptr;
  }
  if (on_devices_ && parts_.size() > 1) threads_ = std::make_unique<PartThreads>(parts_.size());
  if (shared() || !picture_) picture_ = make_host_picture(*exchange_, threads_.get());
  most_at_once_ = agree_on_most_at_once();
}

// Another device may still be reading a partition's memory, so that all must be idle before any is destroyed.
SplitEngine::~SplitEngine() {
  for (FractalPart* const part : own_) {
    try {
      part->engine().wait_for_begun();
    } catch (const std::exception&) {  // the device has failed, and no work is in progress
    }
  }
}

// The minimum over all partitions. Processes can only add values, so that the partitions with each value are
// counted.
std::uint32_t SplitEngine::agree_on_most_at_once() {
  std::array<std::uint64_t, kMostAtOnce + 1> parts_with{};
  for (const FractalPart* const part : own_) ++parts_with[std::min(part->most_at_once(), kMostAtOnce)];
  exchange_->sum(parts_with);
  std::uint32_t least = 1;
  while (least < kMostAtOnce && parts_with[least] == 0) ++least;
  return least;
}

std::string SplitEngine::backend_name() const {
  return fmt::format("{}, {} parts, {}", parts_.front()->engine().backend_name(), count_, exchange_->name());
}

void SplitEngine::wait_until_fast() const {
  for (const auto& part : parts_) part->engine().wait_until_fast();
}

bool SplitEngine::is_fast() const {
  return std::ranges::all_of(parts_, [](const auto& part) { return part->engine().is_fast(); });
}

std::uint64_t SplitEngine::bytes_held() const {
  std::uint64_t bytes = 0;
  for (const auto& part : parts_) bytes += part->engine().bytes_held();
  return bytes;
}

template <typename Use>
void SplitEngine::for_each_part(const WatchedCall& call, const Use& use) const {
  for (const auto& part : parts_) {
    const WatchedEngine watched(part->engine(), watch_);
    call.part(1, [&] { use(part->engine()); });
  }
}

template <typename Use>
void SplitEngine::in_all_parts(const WatchedCall& call, const Use& use) const {
  if (watch_ != nullptr || !threads_) {
    for_each_part(call, use);
  } else {
    threads_->run([&](std::size_t part) { use(parts_[part]->engine()); });
  }
}

template <typename Use>
void SplitEngine::renew_all(const Use& use) {
  const WatchedCall call(watch_, parts_.size());
  copies_hold_ = false;
  std::size_t renewed = 0;
  try {
    in_all_parts(call, [&](FractalEngine& part) {
      use(part);
      if (watch_ != nullptr) ++renewed;
    });
  } catch (const Cancelled&) {
    for (std::size_t i = 0; i < renewed; ++i) parts_[i]->take_back_reset(generation_);
    throw;
  }
  generation_ = 0;
}

StepReport SplitEngine::reset(const RandomStart& start) {
  const auto begin = Clock::now();
  renew_all([&](FractalEngine& part) { part.reset(start); });
  return {.milliseconds = milliseconds_since(begin), .bytes_held = bytes_held()};
}

StepReport SplitEngine::clear() {
  const auto begin = Clock::now();
  renew_all([](FractalEngine& part) { part.clear(); });
  return {.milliseconds = milliseconds_since(begin), .bytes_held = bytes_held()};
}

void SplitEngine::renew_copies() {
  if (copies_hold_) return;
  for (FractalPart* const part : own_) part->tell_cells();
  exchange_->start(own_);
  exchange_->finish();
  for (FractalPart* const part : own_) part->hear_cells();
  copies_hold_ = true;
}

// Boundaries are computed first, so that the exchange overlaps with the interiors. Devices get their
// interiors enqueued first: boundaries have a higher priority there, and no device waits until work has been
// enqueued on all others.
void SplitEngine::step(LifeRule rule, std::uint32_t times, bool last) {
  renew_copies();
  const auto step_insides = [&] {
    for (FractalPart* const part : own_) part->step_inside(rule, times, last);
  };
  if (on_devices_) step_insides();
  for (FractalPart* const part : own_) part->begin_generations(rule, times);
  exchange_->start(own_);
  if (!on_devices_) step_insides();
  exchange_->finish();
  for (FractalPart* const part : own_) part->end_generations(times);
  generation_ += times;
}

void SplitEngine::begin_timing() {
  for (FractalPart* const part : own_) part->begin_timing();
}

void SplitEngine::end_timing() {
  for (FractalPart* const part : own_) part->end_timing();
}

double SplitEngine::wait() {
  double milliseconds = 0;
  for (FractalPart* const part : own_) milliseconds = std::max(milliseconds, part->wait());
  return milliseconds;
}

// Does not wait, so that the next generation begins as it does in the middle of a long run.
void SplitEngine::step_in_vain(LifeRule rule) {
  step(rule, 1, false);
  take_back();
}

void SplitEngine::take_back() {
  --generation_;
  for (FractalPart* const part : own_) part->take_back_generation();
}

// The same pieces as step(), in the same order. Keep both functions consistent.
void SplitEngine::recorded_step(LifeRule rule) {
  const auto begin = [this](DeviceWork work) {
    for (FractalPart* const part : own_) part->note_begin(work);
  };
  const auto end = [this](DeviceWork work) {
    for (FractalPart* const part : own_) part->note_end(work);
  };
  const auto noted = [](FractalPart& part, DeviceWork work, const auto& piece) {
    part.note_begin(work);
    piece();
    part.note_end(work);
  };
  const auto step_insides = [&] {
    for (FractalPart* const part : own_)
      noted(*part, DeviceWork::kInside, [&] { part->step_inside(rule, 1, false); });
  };
  if (on_devices_) step_insides();
  for (FractalPart* const part : own_)
    noted(*part, DeviceWork::kRim, [&] { part->begin_generations(rule, 1); });
  begin(DeviceWork::kExchange);
  exchange_->start(own_);
  end(DeviceWork::kExchange);
  if (!on_devices_) step_insides();
  exchange_->finish();
  for (FractalPart* const part : own_) {
    noted(*part, DeviceWork::kPlace,
          [&] { noted(*part, DeviceWork::kTake, [&] { part->end_generations(1); }); });
  }
  ++generation_;
}

Timeline SplitEngine::record_timeline(const TimelineWish&) {
  throw InputError(
      "a timeline of thread blocks covers a single device; allowed: one device and --storage bytes");
}

DeviceTimes SplitEngine::record_devices(LifeRule rule) {
  if (shared())
    throw InputError("the devices of several processes cannot be recorded; allowed: devices of one process");
  renew_copies();
  DeviceTimes times;
  step_in_vain(rule);
  begin_timing();
  step(rule, 1, false);
  end_timing();
  times.plain_milliseconds = wait();
  take_back();
  for (FractalPart* const part : own_) times.exact_to = std::max(times.exact_to, part->begin_recording());
  step_in_vain(rule);
  begin_timing();
  recorded_step(rule);
  end_timing();
  times.milliseconds = wait();
  take_back();
  times.clock = own_.front()->clock_name();
  for (FractalPart* const part : own_) times.devices.push_back({part->device_name(), part->recorded()});
  count_from_first(times);
  return times;
}

// Earlier work of other engines on one of these devices must end first, so that each engine is timed
// separately. Edits are few, and waited for.
void SplitEngine::begin_frame(const FrameWish& wish) {
  if (wish.after != nullptr) wish.after->wait_for_begun();
  is_enqueued_ =
      on_devices_ && picture_->is_enqueued() && watch_ == nullptr && wish.work.workload == Workload::kLife;
  if (!is_enqueued_) {
    begun_ = whole_frame(*this, wish, watch_);
    return;
  }
  begun_ = {};
  probe_ = wish.probe;
  is_pictured_ = wish.viewport != nullptr;
  if (is_pictured_) picture_->reserve(own_, *wish.viewport, wish.space);
  const auto begin = Clock::now();
  begun_.edited = edit(wish.edits);
  begun_.edit_milliseconds = milliseconds_since(begin);
  begin_timing();
  for (std::uint32_t done = 0; done < wish.generations;) {
    const std::uint32_t at_once = std::min(wish.generations - done, most_at_once_);
    done += at_once;
    step(wish.work.rule, at_once, done == wish.generations);
  }
  end_timing();
  begun_.step = work_costs(fractal_, Workload::kLife, wish.generations);
  if (is_pictured_) picture_->begin(own_, *wish.viewport, wish.space, nullptr);
}

void SplitEngine::wait_for_begun() const {
  for (FractalPart* const part : own_) part->engine().wait_for_begun();
}

FrameReport SplitEngine::end_frame() {
  if (!is_enqueued_) return begun_;
  is_enqueued_ = false;
  begun_.step.milliseconds = wait();
  begun_.step.bytes_held = bytes_held();
  if (is_pictured_) {
    const PartPicture::Made made = picture_->end();
    begun_.image = made.image;
    begun_.resolve = {.milliseconds = made.milliseconds, .bytes_held = bytes_held()};
  }
  if (probe_) begun_.probed = cell(*probe_);
  return begun_;
}

StepReport SplitEngine::run(std::uint32_t times, const Work& work) {
  const WatchedCall call(watch_, times);
  std::uint32_t done = 0;
  std::uint64_t sum = 0;
  begin_timing();
  while (done < times && !call.cancelled()) {
    std::uint32_t at_once = 1;
    if (work.workload == Workload::kLife) {
      at_once = std::min(times - done, most_at_once_);
      step(work.rule, at_once, done + at_once == times);
    } else {
      sum = 0;
      for (FractalPart* const part : own_) sum += part->engine().run(1, work).sum;
      exchange_->sum({&sum, 1});
      if (work.workload == Workload::kSingleWrite) {
        ++generation_;
        copies_hold_ = false;
      }
    }
    done += at_once;
    call.advance(at_once);
  }
  end_timing();
  StepReport report = work_costs(fractal_, work.workload, done);
  report.milliseconds = wait();
  report.bytes_held = bytes_held();
  report.sum = sum;
  return report;
}

StepReport SplitEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  picture_->begin(own_, viewport, space, watch_);
  const PartPicture::Made made = picture_->end();
  image = made.image;
  return {.milliseconds = made.milliseconds, .bytes_held = bytes_held()};
}

std::optional<bool> SplitEngine::cell(Coord64 expanded) const {
  std::optional<bool> state;
  for (FractalPart* const part : own_) {
    const std::optional<bool> found = part->engine().cell(expanded);
    if (found) state = state.value_or(false) || *found;
  }
  if (!state) return state;
  std::uint64_t alive = *state ? 1 : 0;
  exchange_->sum({&alive, 1});
  return alive != 0;
}

std::uint64_t SplitEngine::edit(std::span<const CellEdit> edits) {
  std::uint64_t edited = 0;
  // Each partition counts the edits of all cells.
  for (FractalPart* const part : own_) edited = part->engine().edit(edits);
  if (edited > 0) copies_hold_ = false;
  return edited;
}

Census SplitEngine::census() const {
  const WatchedCall call(watch_, parts_.size());
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

ThreadCount SplitEngine::count_threads() const {
  ThreadCount count;
  for (FractalPart* const part : own_) count += part->engine().count_threads();
  const auto counts = std::to_array({&count.thread_blocks, &count.blocks_launched, &count.blocks_occupied,
                                     &count.threads_launched, &count.threads_active,
                                     &count.threads_without_block, &count.threads_misplaced});
  std::array<std::uint64_t, counts.size()> sums{};
  std::ranges::transform(counts, sums.begin(), [](const std::uint64_t* each) { return *each; });
  exchange_->sum(sums);
  for (std::size_t i = 0; i < counts.size(); ++i) *counts[i] = sums[i];
  return count;
}

// Cells of other partitions read as dead, so that the bitwise OR of all reads is the complete state.
template <typename Read>
void SplitEngine::read_all(std::span<std::uint8_t> bytes, const Read& read) const {
  const WatchedCall call(watch_, parts_.size());
  const auto add = [&](const std::vector<std::uint8_t>& of_part) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] |= of_part[i];
  };
  std::vector<std::vector<std::uint8_t>> of_others(parts_.size() - 1);
  if (watch_ == nullptr && threads_) {
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

void SplitEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  read_all(cells,
           [&](const FractalEngine& part, std::span<std::uint8_t> into) { part.read_cells(first, into); });
}

void SplitEngine::read_bits(std::span<std::uint8_t> bits) const {
  check_bits(bits.size());
  read_all(bits, [](const FractalEngine& part, std::span<std::uint8_t> into) { part.read_bits(into); });
}

void SplitEngine::write_bits(std::span<const std::uint8_t> bits) {
  check_bits(bits.size());
  const WatchedCall call(watch_, parts_.size());
  copies_hold_ = false;
  in_all_parts(call, [&](FractalEngine& part) { part.write_bits(bits); });
}

void SplitEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, parts_.size());
  copies_hold_ = false;
  in_all_parts(call, [&](FractalEngine& part) { part.write_cells(first, cells); });
}

void SplitEngine::set_generation(std::uint64_t generation) {
  generation_ = generation;
  for (FractalPart* const part : own_) part->engine().set_generation(generation);
}

}  // namespace loom
