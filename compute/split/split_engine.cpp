#include "compute/split/split_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>

#include "compute/core/error.h"
#include "compute/engine/density.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"

namespace loom {
namespace {

using Clock = std::chrono::steady_clock;

/// Fewer pixels are added up by one thread.
constexpr std::size_t kPixelsOfOneThread = std::size_t{1} << 14;
/// Generations between two exchanges.
constexpr std::uint32_t kMostAtOnce = 32;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

SplitEngine::SplitEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPart>> parts,
                         std::uint32_t count, std::unique_ptr<PartExchange> exchange)
    : config_(config),
      fractal_(make_blocked(config.fractal, config.level, config.block)),
      parts_(std::move(parts)),
      count_(count),
      exchange_(std::move(exchange)) {
  bool on_devices = parts_.size() > 1;
  for (const auto& part : parts_) {
    own_.push_back(part.get());
    on_devices = on_devices && part->messages().cuda_device >= 0;
  }
  if (on_devices) threads_ = std::make_unique<PartThreads>(parts_.size());
  most_at_once_ = agree_on_most_at_once();
}

// Counted for each number, since processes can add and no more: the least that any part has.
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

std::uint64_t SplitEngine::bytes_held() const {
  std::uint64_t bytes = 0;
  for (const auto& part : parts_) bytes += part->engine().bytes_held();
  return bytes;
}

template <typename Use>
void SplitEngine::for_each_part(const WatchedCall& call, const Use& use) const {
  for (const auto& part : parts_) {
    part->engine().set_watch(watch_);
    call.part(1, [&] { use(part->engine()); });
    part->engine().set_watch(nullptr);
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

StepReport SplitEngine::reset(const RandomStart& start) {
  const auto begin = Clock::now();
  const WatchedCall call(watch_, parts_.size());
  in_all_parts(call, [&](FractalEngine& part) { part.reset(start); });
  generation_ = 0;
  copies_hold_ = false;
  return {.milliseconds = milliseconds_since(begin), .bytes_held = bytes_held()};
}

StepReport SplitEngine::clear() {
  const auto begin = Clock::now();
  const WatchedCall call(watch_, parts_.size());
  in_all_parts(call, [](FractalEngine& part) { part.clear(); });
  generation_ = 0;
  copies_hold_ = false;
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

// What others hear comes first, so that it travels while the insides are worked on.
void SplitEngine::step(LifeRule rule, std::uint32_t times, bool last) {
  renew_copies();
  for (FractalPart* const part : own_) part->begin_generations(rule, times);
  exchange_->start(own_);
  for (FractalPart* const part : own_) part->step_inside(rule, times, last);
  exchange_->finish();
  for (FractalPart* const part : own_) part->end_generations(times);
  generation_ += times;
}

void SplitEngine::begin_timing() {
  for (FractalPart* const part : own_) part->begin_timing();
}

double SplitEngine::end_timing() {
  for (FractalPart* const part : own_) part->end_timing();
  double milliseconds = 0;
  for (FractalPart* const part : own_) milliseconds = std::max(milliseconds, part->wait());
  return milliseconds;
}

// Nothing is waited for: what comes next begins as it does in the middle of many generations.
void SplitEngine::step_in_vain(LifeRule rule) {
  step(rule, 1, false);
  take_back();
}

void SplitEngine::take_back() {
  --generation_;
  for (FractalPart* const part : own_) part->take_back_generation();
}

// The pieces of step(), in its order. Whoever changes one changes the other.
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
  for (FractalPart* const part : own_)
    noted(*part, DeviceWork::kRim, [&] { part->begin_generations(rule, 1); });
  begin(DeviceWork::kExchange);
  exchange_->start(own_);
  end(DeviceWork::kExchange);
  for (FractalPart* const part : own_)
    noted(*part, DeviceWork::kInside, [&] { part->step_inside(rule, 1, false); });
  exchange_->finish();
  for (FractalPart* const part : own_) {
    noted(*part, DeviceWork::kPlace,
          [&] { noted(*part, DeviceWork::kTake, [&] { part->end_generations(1); }); });
  }
  ++generation_;
}

Timeline SplitEngine::record_timeline(const TimelineWish&) {
  throw InputError(
      "a timeline of thread blocks is recorded on one device, of cells held as bytes; allowed: one device, "
      "in bytes");
}

DeviceTimes SplitEngine::record_devices(LifeRule rule) {
  if (shared())
    throw InputError("what each process' device does is not recorded; allowed: devices of one process");
  renew_copies();
  DeviceTimes times;
  step_in_vain(rule);
  begin_timing();
  step(rule, 1, false);
  times.plain_milliseconds = end_timing();
  take_back();
  for (FractalPart* const part : own_) times.exact_to = std::max(times.exact_to, part->begin_recording());
  step_in_vain(rule);
  begin_timing();
  recorded_step(rule);
  times.milliseconds = end_timing();
  take_back();
  times.clock = own_.front()->clock_name();
  for (FractalPart* const part : own_) times.devices.push_back({part->device_name(), part->recorded()});
  count_from_first(times);
  return times;
}

// What others have begun on one of these devices comes first, so that times are each engine's own.
void SplitEngine::begin_frame(const FrameWish& wish) {
  if (wish.after != nullptr) wish.after->wait_for_begun();
  begun_ = whole_frame(*this, wish, watch_);
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
  StepReport report = work_costs(fractal_, work.workload, done);
  report.milliseconds = end_timing();
  report.bytes_held = bytes_held();
  report.sum = sum;
  return report;
}

StepReport SplitEngine::resolve(const Viewport& viewport, MemorySpace, ImageView& image) {
  const auto begin = Clock::now();
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  const bool together = threads_ != nullptr && watch_ == nullptr;
  // The sums of all parts, and behind them those of each that counts at the same time.
  const std::size_t sums = 2 * area;
  const std::size_t needed = (together ? 1 + parts_.size() : 2) * sums;
  if (pixels_.size() < area) pixels_.resize(area);
  if (pixel_sums_.size() < needed) pixel_sums_.resize(needed);
  const auto sums_of = [&](std::size_t place) {
    return std::span(pixel_sums_).subspan((1 + place) * sums, sums);
  };
  const std::span<std::uint64_t> of_all = std::span(pixel_sums_).first(sums);
  std::fill(of_all.begin(), of_all.end(), 0);
  const auto add = [&](std::span<const std::uint64_t> of_part) {
#pragma omp parallel for schedule(static) if (area > kPixelsOfOneThread)
    for (std::size_t i = 0; i < sums; ++i) of_all[i] += of_part[i];
  };
  const auto count = [&](FractalPart& part, std::span<std::uint64_t> into) {
    part.count_pixels(viewport, into.first(area), into.last(area));
  };
  if (together && area > 0) {
    threads_->run([&](std::size_t part) { count(*parts_[part], sums_of(part)); });
    for (std::size_t part = 0; part < parts_.size(); ++part) add(sums_of(part));
  } else if (area > 0) {
    const WatchedCall call(watch_, parts_.size());
    for (const auto& part : parts_) {
      part->engine().set_watch(watch_);
      call.part(1, [&] { count(*part, sums_of(0)); });
      part->engine().set_watch(nullptr);
      add(sums_of(0));
    }
  }
  exchange_->sum(of_all);
#pragma omp parallel for schedule(static) if (area > kPixelsOfOneThread)
  for (std::size_t i = 0; i < area; ++i) pixels_[i] = density_value(of_all[i], of_all[area + i]);
  image = ImageView{.pixels = pixels_.data(),
                    .format = PixelFormat::kDensity16,
                    .width = viewport.width(),
                    .height = viewport.height(),
                    .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t),
                    .space = MemorySpace::kHost};
  return {.milliseconds = milliseconds_since(begin), .bytes_held = bytes_held()};
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
  for (FractalPart* const part : own_) edited = part->engine().edit(edits);  // each counts those of all
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
  std::uint64_t sums[] = {count.thread_blocks,    count.blocks_launched, count.blocks_occupied,
                          count.threads_launched, count.threads_active,  count.threads_without_block};
  exchange_->sum(sums);
  return {.thread_blocks = sums[0],
          .blocks_launched = sums[1],
          .blocks_occupied = sums[2],
          .threads_launched = sums[3],
          .threads_active = sums[4],
          .threads_without_block = sums[5]};
}

// The cells of other parts are dead to each: the sum of what all of them read is what there is.
void SplitEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  const WatchedCall call(watch_, parts_.size());
  std::vector<std::uint8_t> of_part(parts_.size() > 1 ? cells.size() : 0);
  bool begun = false;
  for_each_part(call, [&](const FractalEngine& part) {
    part.read_cells(first, begun ? std::span(of_part) : cells);
    for (std::size_t i = 0; begun && i < cells.size(); ++i) cells[i] |= of_part[i];
    begun = true;
  });
  if (!shared()) return;
  std::vector<std::uint64_t> eight((cells.size() + 7) / 8);  // no byte of a sum overflows
  std::memcpy(eight.data(), cells.data(), cells.size());
  exchange_->sum(eight);
  std::memcpy(cells.data(), eight.data(), cells.size());
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
