#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/distributed/partitioning.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom {
namespace {

/// Adds a partition's counts. The partitions run concurrently, so that the time of a level is the longest
/// one.
void add_part(MandelbrotReport& sum, const MandelbrotReport& part) {
  sum.pixels += part.pixels;
  sum.allocated_bytes += part.allocated_bytes;
  sum.mirrored_pixels += part.mirrored_pixels;
  sum.axis_pixels += part.axis_pixels;
  sum.launches += part.launches;
  sum.levels.resize(part.levels.size());
  for (std::size_t i = 0; i < part.levels.size(); ++i) {
    MandelbrotLevel& level = sum.levels[i];
    const MandelbrotLevel& of_part = part.levels[i];
    level.width = of_part.width;
    level.height = of_part.height;
    level.add_counts(of_part);
    if (of_part.milliseconds) {
      level.milliseconds = std::max(level.milliseconds.value_or(0), *of_part.milliseconds);
    }
  }
}

std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}
std::uint32_t high_of(std::uint64_t pair) {
  return static_cast<std::uint32_t>(pair >> 32);
}
std::uint32_t low_of(std::uint64_t pair) {
  return static_cast<std::uint32_t>(pair);
}

/// The texts of a view and a configuration, each with a zero behind it: the numbers of a decimal view, or
/// nothing, and the fields.
std::string texts_of(const MandelbrotView& view, const MandelbrotConfig& config) {
  const ViewDigits digits = view.decimal ? digits_of(*view.decimal) : ViewDigits{};
  std::string texts;
  const auto add = [&](std::string_view text) { texts.append(text) += '\0'; };
  for (const std::string& one : {digits.re, digits.im, digits.width}) add(one);
  for (const Field<MandelbrotConfig>& field : mandelbrot_config_fields())
    add(field.text(config).value_or(std::string()));
  return texts;
}

void read_texts(std::string_view texts, MandelbrotView& view, MandelbrotConfig& config) {
  const auto take = [&] {
    const std::size_t end = std::min(texts.find('\0'), texts.size());
    const std::string_view text = texts.substr(0, end);
    texts.remove_prefix(std::min(end + 1, texts.size()));
    return std::string(text);
  };
  const std::string re = take();
  const std::string im = take();
  const std::string width = take();
  if (!re.empty()) view.decimal = std::make_shared<const DecimalView>(DecimalView{re, im, width});
  for (const Field<MandelbrotConfig>& field : mandelbrot_config_fields())
    if (const std::string text = take(); !text.empty()) field.assign(text, config);
  // The first process has checked whether it may run.
  if (!config.set.custom.empty()) config.set.custom = CustomFormula(config.set.custom.text());
}

/// The Mandelbrot set, distributed over several devices of this process or of a run's processes, behind the
/// interface of one engine. Each partition computes and holds its rows (row_partition.h), which are
/// distributed by the costs of the last frame. The rows are gathered on the device of the first partition if
/// it can access the other devices' memory, otherwise on the host.
///
/// With several processes, the first process makes the calls, and the others execute them in
/// execute_commands(), so that every result covers the whole image.
class DistributedMandelbrotEngine final : public MandelbrotEngine {
 public:
  /// `parts` are this process's own partitions, at least one. `together`: each is on a device of its own, so
  /// that they work concurrently. `ranks` is null for a single process; otherwise all processes construct an
  /// engine with one partition each.
  DistributedMandelbrotEngine(std::vector<std::unique_ptr<MandelbrotPartition>> parts, bool together,
                              const ProcessGroup* ranks)
      : parts_(std::move(parts)),
        ranks_(ranks),
        threads_(together && parts_.size() > 1 ? std::make_unique<PartitionThreads>(parts_.size()) : nullptr),
        times_(parts_.size()),
        reports_(parts_.size()),
        watches_(parts_.size()) {
    for (const auto& part : parts_) image_rows_.push_back({part.get()});
    smooth_rows_ = image_rows_;
  }
  /// Ends execute_commands() in the other processes.
  ~DistributedMandelbrotEngine() override { broadcast_command({}); }

  /// In every process but the first: executes the calls of the first process's engine until it is destroyed.
  /// Errors outside of a computation are thrown here; errors of a computation are thrown in the first
  /// process.
  void execute_commands() {
    for (;;) {
      std::byte bytes[sizeof(Command)] = {};
      ranks_->broadcast(bytes);
      Command command;
      std::memcpy(&command, bytes, sizeof(Command));
      if (command.what == Command::What::kEnd) return;
      std::string texts(command.text_bytes, '\0');
      if (!texts.empty()) ranks_->broadcast(std::as_writable_bytes(std::span(texts)));
      execute(command, texts);
    }
  }

  std::string backend_name() const override {
    const std::string of_part = parts_.front()->backend_name();
    if (ranks_ != nullptr)
      return fmt::format("{}, {} ranks, {}", of_part, ranks_->count(), ProcessGroup::library());
    return fmt::format("{}, {} parts", of_part, parts_.size());
  }
  /// In this process.
  std::uint64_t allocated_bytes() const override {
    std::uint64_t bytes = pixels_.size() * sizeof(std::uint16_t) +
                          (wide_pixels_.size() + smooth_.size()) * sizeof(std::uint32_t);
    for (const auto& part : parts_) bytes += part->allocated_bytes();
    return bytes;
  }
  /// The time is that of the call, until all partitions have ended; the time of a level is that of the
  /// slowest partition. With several processes: throws MachineError with the rank if one of them lacks a
  /// resource.
  MandelbrotReport compute(const MandelbrotConfig& requested, const MandelbrotView& view,
                           Regions regions) override {
    const MandelbrotConfig config = resolved(requested, view);
    validate(config, view);
    const Stopwatch stopwatch;
    std::string texts = ranks_ != nullptr ? texts_of(view, config) : std::string();  // none in every frame
    broadcast_command({.what = Command::What::kCompute,
                       .exact = config.exact,
                       .window = view.window,
                       .width = view.width,
                       .height = view.height,
                       .angle = view.angle,
                       .text_bytes = texts.size(),
                       .regions = regions});
    if (ranks_ != nullptr) ranks_->broadcast(std::as_writable_bytes(std::span(texts)));
    MandelbrotReport report = compute_all(config, view, regions);
    report.milliseconds = stopwatch.milliseconds();
    if (regions == Regions::kList)
      std::ranges::sort(regions_, {}, [](const MandelbrotRegion& region) {
        return std::tuple(region.level, region.y, region.x);
      });
    return report;
  }
  /// Throws InputError: a timeline covers a single device.
  Timeline record_timeline(const MandelbrotConfig&, const MandelbrotView&, const TimelineOptions&) override {
    throw InputError("a timeline covers a single device; allowed: one device");
  }
  const MandelbrotConfig& config() const override { return config_; }
  const MandelbrotView& view() const override { return view_; }
  std::span<const RowRange> rows() const override { return rows_; }
  std::span<const MandelbrotPartitionTime> partition_times() const override { return times_; }
  std::span<const RowRange> rows_of_partition(std::size_t part) const override {
    return parts_[part]->rows();
  }
  std::span<const MandelbrotRegion> regions() const override { return regions_; }
  ImageView image(MemorySpace space) override {
    if (!rows_.empty()) {
      if (const auto image = whole_image(false, space)) return *image;
    }
    if (!rows_.empty()) {
      broadcast_command({.what = Command::What::kImage});
      join_image();
    }
    const bool narrow = fits_narrow(config_);
    return {.pixels = narrow ? static_cast<const void*>(pixels_.data()) : wide_pixels_.data(),
            .format = narrow ? PixelFormat::kDwell16 : PixelFormat::kDwell32,
            .width = rows_.empty() ? 0 : static_cast<int>(view_.width),
            .height = rows_.empty() ? 0 : static_cast<int>(view_.height),
            .row_bytes = view_.width * (narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t))};
  }
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const override {
    check_rows(view_, first_row, dwells.size());
    if (dwells.empty() || rows_.empty()) return;
    broadcast_command({.what = Command::What::kRead, .first_row = first_row, .count = dwells.size()});
    read_rows(first_row, dwells);
  }
  void count_dwells(std::span<std::uint64_t> counts) const override {
    std::ranges::fill(counts, 0);
    if (rows_.empty()) return;
    broadcast_command({.what = Command::What::kCount, .count = counts.size()});
    count_all(counts);
  }
  SmoothReport compute_smooth() override {
    SmoothReport report;
    if (rows_.empty()) return report;
    const Stopwatch stopwatch;
    holds_smooth_ = false;
    broadcast_command({.what = Command::What::kSmooth});
    report.exterior = smooth_all();
    report.milliseconds = stopwatch.milliseconds();
    holds_smooth_ = true;
    smooth_joined_ = false;
    smooth_view_ = view_;
    return report;
  }
  ImageView smooth_image(MemorySpace space) override {
    if (holds_smooth_ && !smooth_joined_) {
      if (const auto image = whole_image(true, space)) return *image;
    }
    if (holds_smooth_ && !smooth_joined_) {
      broadcast_command({.what = Command::What::kSmoothImage});
      join(smooth_, smooth_view_, smooth_rows_,
           [](MandelbrotEngine& part) { return part.smooth_image(MemorySpace::kHost); });
      smooth_joined_ = true;
    }
    return {.pixels = smooth_.data(),
            .format = PixelFormat::kSmoothDwell32,
            .width = holds_smooth_ ? static_cast<int>(smooth_view_.width) : 0,
            .height = holds_smooth_ ? static_cast<int>(smooth_view_.height) : 0,
            .row_bytes = smooth_view_.width * sizeof(std::uint32_t)};
  }
  DwellDifferences count_differences(std::size_t max_places) const override {
    if (rows_.empty()) return {};
    broadcast_command({.what = Command::What::kDifferences, .count = max_places});
    return differences_of_all(max_places);
  }

 private:
  /// A command of the first process to all others.
  struct Command {
    enum class What { kEnd, kCompute, kRead, kCount, kSmooth, kImage, kSmoothImage, kDifferences };
    What what = What::kEnd;
    bool exact = false;  ///< MandelbrotConfig::exact, which has no field
    ComplexWindow window = {};
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    double angle = 0;
    std::uint64_t text_bytes = 0;  ///< of texts_of(), which follow; with kCompute
    Regions regions = Regions::kCount;
    std::uint32_t first_row = 0;
    std::uint64_t count = 0;  ///< dwells, or positions
  };
  void broadcast_command(const Command& command) const {
    static_assert(std::is_trivially_copyable_v<Command>);
    if (ranks_ == nullptr || ranks_->rank() != 0) return;
    std::byte bytes[sizeof(Command)];
    std::memcpy(bytes, &command, sizeof(Command));
    ranks_->broadcast(bytes);
  }
  /// `decimal`: of kCompute, the numbers of a decimal view.
  void execute(const Command& command, const std::string& texts) {
    switch (command.what) {
      case Command::What::kEnd:
        return;
      case Command::What::kCompute:
        try {
          MandelbrotConfig config{.exact = command.exact};
          MandelbrotView view{command.window, command.width, command.height, nullptr, command.angle};
          read_texts(texts, view, config);
          compute_all(config, view, command.regions);
        } catch (const MachineError&) {  // the first process throws the same error and handles it
        }
        return;
      case Command::What::kRead: {
        std::vector<std::uint32_t> dwells(command.count);
        return read_rows(command.first_row, dwells);
      }
      case Command::What::kCount: {
        std::vector<std::uint64_t> counts(command.count);
        return count_all(counts);
      }
      case Command::What::kSmooth:
        smooth_all();
        return;
      case Command::What::kImage:
        return join_image();
      case Command::What::kSmoothImage:
        return join(smooth_, smooth_view_, smooth_rows_,
                    [](MandelbrotEngine& part) { return part.smooth_image(MemorySpace::kHost); });
      case Command::What::kDifferences:
        differences_of_all(command.count);
    }
  }
  void join_image() {
    const auto image_of = [](MandelbrotEngine& part) { return part.image(MemorySpace::kHost); };
    fits_narrow(config_) ? join(pixels_, view_, image_rows_, image_of)
                         : join(wide_pixels_, view_, image_rows_, image_of);
  }

  /// Calls use(part, number) for each of this process's own partitions.
  template <typename Use>
  void for_each_part(const Use& use) const {
    if (threads_) return threads_->run([&](std::size_t i) { use(*parts_[i], i); });
    for (std::size_t i = 0; i < parts_.size(); ++i) use(*parts_[i], i);
  }
  /// Runs this process's partitions concurrently; `monitor_` monitors the first of them.
  void compute_parts(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions,
                     MandelbrotReport& report) {
    // Several processes would first have to exchange the costs; they use round-robin distribution instead.
    // Devices do not record those of perturbed precisions and custom formulas.
    const bool deals = ranks_ == nullptr && parts_.size() > 1 && config.method == MandelbrotMethod::kAsk &&
                       !is_perturbed(config.precision) && config.set.formula != Formula::kCustom;
    const bool notes = deals && distribution_key_ != DistributionKey{config, view};
    const Stopwatch stopwatch;
    // A monitor covers the work of one thread: the first partition reports the progress for all of them and
    // forwards a cancellation.
    for (ProgressMonitor& monitor : watches_) monitor.reset();
    for_each_part([&](MandelbrotPartition& part, std::size_t i) {
      part.set_monitor(monitor_ == nullptr ? nullptr : i == 0 ? monitor_ : &watches_[i]);
      part.record_costs(notes);
      times_[i].begin = stopwatch.milliseconds();
      try {
        reports_[i] = part.compute(config, view, regions);
      } catch (...) {
        part.set_monitor(nullptr);
        for (ProgressMonitor& monitor : watches_) monitor.cancel();
        throw;
      }
      part.set_monitor(nullptr);
      times_[i].end = stopwatch.milliseconds();
      times_[i].milliseconds = reports_[i].milliseconds;
      times_[i].pixels = reports_[i].pixels;
    });
    if (monitor_ != nullptr && monitor_->cancelled()) throw OperationCancelled();
    for (const MandelbrotReport& part : reports_) add_part(report, part);
    report.perturbation = reports_.front().perturbation;
    for (std::size_t i = 1; report.perturbation && i < reports_.size(); ++i) {
      if (!reports_[i].perturbation) continue;
      report.perturbation->uncertain += reports_[i].perturbation->uncertain;
      report.perturbation->undecided += reports_[i].perturbation->undecided;
    }
    if (!notes) return;
    redistribute(make_subdivision(config, view));
    distribution_key_ = {config, view};
  }
  /// Computes the work distribution for the next computation from the recorded costs.
  void redistribute(const Subdivision& cut) {
    costs_.assign(cut.first_regions(), 0);
    for (const auto& part : parts_) {
      const std::span<const std::uint32_t> of_part = part->region_costs();
      for (std::size_t i = 0; i < of_part.size(); ++i) costs_[i] += of_part[i];
    }
    distribution_ = distribute_by_cost(costs_, cut.first_parts, static_cast<std::uint32_t>(parts_.size()));
    for (const auto& part : parts_) part->set_distribution(&distribution_);
  }
  MandelbrotReport compute_all(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions) {
    config_ = config;
    view_ = view;
    rows_.clear();
    regions_.clear();
    MandelbrotReport report;
    if (ranks_ == nullptr) {
      compute_parts(config, view, regions, report);
    } else {
      std::string rank_error;
      try {
        compute_parts(config, view, regions, report);
      } catch (const std::exception& error) {
        rank_error = error.what();
      }
      rank_error = ranks_->first_rank_error(rank_error);
      if (!rank_error.empty()) throw MachineError(rank_error);
      sum_over_ranks(report);
    }
    rows_.push_back({0, view.height});
    keep_rows(image_rows_);
    if (regions == Regions::kList) collect_regions();
    return report;
  }
  void sum_over_ranks(MandelbrotReport& report) const {
    const std::size_t levels = report.levels.size();
    const auto ranks = static_cast<std::size_t>(ranks_->count());
    constexpr std::size_t kOfAll = 5;
    constexpr std::size_t kOfLevel = 8;
    std::vector<std::uint64_t> sums(kOfAll + levels * (kOfLevel + ranks));
    const auto each = [&](const auto& use) {
      std::uint64_t* at = sums.data();
      for (std::uint64_t* of_all : {&report.pixels, &report.allocated_bytes, &report.mirrored_pixels,
                                    &report.axis_pixels, &report.launches}) {
        use(*of_all, *at++);
      }
      for (MandelbrotLevel& level : report.levels) {
        for (std::uint64_t* count :
             {&level.regions, &level.filled, &level.leaves, &level.splits, &level.children,
              &level.border_pixels, &level.leaf_pixels, &level.filled_pixels}) {
          use(*count, *at++);
        }
      }
    };
    each([](std::uint64_t own, std::uint64_t& sum) { sum = own; });
    // Times cannot be added: each process has an element of its own for them.
    std::uint64_t* const times = sums.data() + kOfAll + levels * kOfLevel;
    for (std::size_t i = 0; i < levels; ++i) {
      times[i * ranks + static_cast<std::size_t>(ranks_->rank())] =
          std::bit_cast<std::uint64_t>(report.levels[i].milliseconds.value_or(0));
    }
    ranks_->sum(sums);
    each([](std::uint64_t& own, std::uint64_t sum) { own = sum; });
    for (std::size_t i = 0; i < levels; ++i) {
      if (!report.levels[i].milliseconds) continue;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        report.levels[i].milliseconds =
            std::max(*report.levels[i].milliseconds, std::bit_cast<double>(times[i * ranks + rank]));
      }
    }
  }
  void collect_regions() {
    std::vector<std::uint64_t> words;
    for (const auto& part : parts_) {
      for (const MandelbrotRegion& region : part->regions()) {
        words.push_back(pair_of(region.x, region.y));
        words.push_back(pair_of(region.width, region.height));
        words.push_back(pair_of(region.level, static_cast<std::uint32_t>(region.kind)));
      }
    }
    if (ranks_ != nullptr) words = ranks_->gather(words);
    for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
      regions_.push_back({high_of(words[i]), low_of(words[i]), high_of(words[i + 1]), low_of(words[i + 1]),
                          static_cast<std::uint16_t>(high_of(words[i + 2])),
                          static_cast<RegionKind>(low_of(words[i + 2]))});
    }
  }
  void read_rows(std::uint32_t first_row, std::span<std::uint32_t> dwells) const {
    if (ranks_ != nullptr) std::ranges::fill(dwells, 0);
    for_each_part([&](const MandelbrotEngine& part, std::size_t) { part.read_dwells(first_row, dwells); });
    if (ranks_ != nullptr) ranks_->merge(std::as_writable_bytes(dwells));
  }
  void count_all(std::span<std::uint64_t> counts) const {
    std::vector<std::vector<std::uint64_t>> of_parts(parts_.size(),
                                                     std::vector<std::uint64_t>(counts.size()));
    for_each_part([&](const MandelbrotEngine& part, std::size_t i) { part.count_dwells(of_parts[i]); });
    for (const std::vector<std::uint64_t>& of_part : of_parts) {
      for (std::size_t dwell = 0; dwell < counts.size(); ++dwell) counts[dwell] += of_part[dwell];
    }
    if (ranks_ != nullptr) ranks_->sum(counts);
  }
  std::uint64_t smooth_all() {
    std::vector<SmoothReport> reports(parts_.size());
    for_each_part([&](MandelbrotEngine& part, std::size_t i) { reports[i] = part.compute_smooth(); });
    keep_rows(smooth_rows_);
    smooth_view_ = view_;
    std::uint64_t exterior = 0;
    for (const SmoothReport& report : reports) exterior += report.exterior;
    if (ranks_ != nullptr) ranks_->sum({&exterior, 1});
    return exterior;
  }
  /// The partitions' current rows.
  void keep_rows(std::vector<PartitionRows>& of_image) const {
    for (PartitionRows& one : of_image) {
      const std::span<const RowRange> rows = one.part->rows();
      one.rows.assign(rows.begin(), rows.end());
    }
  }
  /// The rows of all partitions of the image, on the first partition's device; nothing if that is not
  /// possible.
  std::optional<ImageView> whole_image(bool smooth, MemorySpace space) {
    if (ranks_ != nullptr) return std::nullopt;
    return parts_.front()->whole_image(std::span(smooth ? smooth_rows_ : image_rows_).subspan(1), smooth,
                                       space);
  }
  template <typename Value, typename Make>
  void join(std::vector<Value>& pixels, const MandelbrotView& view, const std::vector<PartitionRows>& parts,
            const Make& make) {
    pixels.assign(view.pixels(), 0);
    for_each_part([&](MandelbrotEngine& part, std::size_t i) {
      const ImageView image = make(part);
      for (const RowRange& rows : parts[i].rows) {
        const std::size_t first = std::size_t{rows.first} * view.width;
        std::copy_n(static_cast<const Value*>(image.pixels) + first, std::size_t{rows.count()} * view.width,
                    pixels.data() + first);
      }
    });
    if (ranks_ != nullptr) ranks_->merge(std::as_writable_bytes(std::span(pixels)));
  }
  DwellDifferences differences_of_all(std::size_t max_places) const {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> words;
    std::vector<DwellDifferences> of_parts(parts_.size());
    for_each_part([&](const MandelbrotEngine& part, std::size_t i) {
      of_parts[i] = part.count_differences(max_places);
    });
    for (const DwellDifferences& of_part : of_parts) {
      count += of_part.count;
      for (const DwellDifference& place : of_part.places) {
        words.push_back(pair_of(place.pixel.y, place.pixel.x));
        words.push_back(pair_of(place.dwell, place.expected));
      }
    }
    if (ranks_ != nullptr) ranks_->sum({&count, 1});
    if (ranks_ != nullptr) words = ranks_->gather(words);
    DwellDifferences found;
    found.count = count;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      found.places.push_back(
          {{low_of(words[i]), high_of(words[i])}, high_of(words[i + 1]), low_of(words[i + 1])});
    }
    std::ranges::sort(found.places, {},
                      [](const DwellDifference& place) { return std::pair(place.pixel.y, place.pixel.x); });
    if (found.places.size() > max_places) found.places.resize(max_places);
    return found;
  }

  std::vector<std::unique_ptr<MandelbrotPartition>> parts_;
  const ProcessGroup* ranks_;
  mutable std::unique_ptr<PartitionThreads> threads_;  ///< null: one partition after the other
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;
  std::vector<MandelbrotRegion> regions_;
  std::vector<std::uint16_t> pixels_;
  std::vector<std::uint32_t> wide_pixels_;  ///< for dwell limits above kMaxNarrowLimit
  std::vector<std::uint32_t> smooth_;
  bool holds_smooth_ = false;
  bool smooth_joined_ = false;  ///< smooth_ has the gathered image, not only the partitions' rows
  // The rows of each partition's images. Those of the smooth image are kept while other dwells are computed.
  std::vector<PartitionRows> image_rows_;
  std::vector<PartitionRows> smooth_rows_;
  MandelbrotView smooth_view_;
  std::vector<MandelbrotPartitionTime> times_;
  std::vector<MandelbrotReport> reports_;  ///< one per partition
  std::vector<ProgressMonitor> watches_;   ///< for all partitions but the first
  DwellDistribution distribution_;
  std::vector<std::uint32_t> costs_;
  /// The configuration that the work distribution was computed for; nothing if there is none or it is
  /// outdated.
  struct DistributionKey {
    MandelbrotConfig config;
    MandelbrotView view;
    friend bool operator==(const DistributionKey&, const DistributionKey&) = default;
  };
  std::optional<DistributionKey> distribution_key_;
};

}  // namespace

std::unique_ptr<MandelbrotEngine> make_distributed_mandelbrot_engine(
    std::vector<std::unique_ptr<MandelbrotPartition>> parts, bool together, const ProcessGroup* ranks) {
  return std::make_unique<DistributedMandelbrotEngine>(std::move(parts), together, ranks);
}

void execute_commands(MandelbrotEngine& engine) {
  static_cast<DistributedMandelbrotEngine&>(engine).execute_commands();
}

}  // namespace loom
