#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "app/files/toml_document.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/cpu/available_memory.h"
#include "tour_text.h"

namespace loom::app {
namespace {

constexpr int kBlocks = 24;  // of the image, on each axis
constexpr double kRate = 2;  // magnification per second
constexpr double kEdgeMargin =
    0.25;  // the target moves to the middle by this part of its distance per second
/// Octaves that the view may be deeper than the last picture.
constexpr double kFarFromPicture = 1;

}  // namespace

std::optional<glm::ivec2> most_detail(std::span<const std::uint32_t> dwells, glm::ivec2 size) {
  const glm::ivec2 block{std::max(2, size.x / kBlocks), std::max(2, size.y / kBlocks)};
  const auto at = [&](int x, int y) {
    return dwells[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) +
                  static_cast<std::size_t>(x)];
  };
  std::optional<glm::ivec2> best;
  double most = 0;
  for (int top = 0; top + block.y <= size.y; top += block.y) {
    for (int left = 0; left + block.x <= size.x; left += block.x) {
      int changes = 0;
      for (int y = top; y < top + block.y - 1; ++y) {
        for (int x = left; x < left + block.x - 1; ++x) {
          changes += at(x, y) != at(x + 1, y);
          changes += at(x, y) != at(x, y + 1);
        }
      }
      const glm::ivec2 middle{left + block.x / 2, top + block.y / 2};
      const double away = std::hypot(2.0 * middle.x / size.x - 1, 2.0 * middle.y / size.y - 1);
      const double weight = changes / (1 + away * away);
      if (weight <= most) continue;
      most = weight;
      best = middle;
    }
  }
  return best;
}

std::optional<ComplexView> Autopilot::advance(const ComplexView& view, glm::ivec2 picture,
                                              const DwellRunner& runner, double seconds, Precision precision,
                                              std::string_view& stopped) {
  if (!running_) return std::nullopt;
  if (last_ && *last_ != view) {
    stopped = "the view was moved";
    stop();
    return std::nullopt;
  }
  last_ = view;
  if (!runner.has_picture() || runner.busy()) return std::nullopt;
  const ComplexView& seen = runner.request().view;
  // A target serves for an octave.
  if (seen == view && (!aimed_at_ || !target_ || log2_width(*aimed_at_) - log2_width(view) >= 1)) {
    const glm::ivec2 size = runner.image_size();
    dwells_.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    runner.engine().read_dwells(0, dwells_);
    aimed_at_ = seen;
    const auto found = most_detail(dwells_, size);
    target_.reset();
    // A coarse picture may lack the detail.
    if (!found && runner.divisor() > 1) return std::nullopt;
    if (!found) {
      stopped = "there is no detail in this view";
      stop();
      return std::nullopt;
    }
    target_ = (glm::dvec2(*found) + 0.5) * glm::dvec2(picture) / glm::dvec2(size);
  }
  if (!target_) return std::nullopt;
  if (log2_width(seen) - log2_width(view) > kFarFromPicture) return std::nullopt;
  ComplexView next = zoomed(view, picture, *target_, std::pow(kRate, seconds), precision);
  const glm::dvec2 to_middle = (glm::dvec2(picture) / 2.0 - *target_) * std::min(1.0, kEdgeMargin * seconds);
  next = panned(next, picture, to_middle, precision);
  *target_ += to_middle;
  last_ = next;
  return next;
}

namespace {

constexpr std::string_view kAllowedKeys = "name, note, re, im, width, precision, dwell";
constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxNote = 200;

/// Converts [[view]] tables to stops. Every error names the file and the line.
class TourReader : TomlReader {
 public:
  explicit TourReader(std::string_view file) : TomlReader(std::string(file)) {}

  std::vector<TourStop> read(const toml::table& document) const {
    allow(document, {"view"}, "a tour");
    const toml::array* views = document["view"].as_array();
    if (views == nullptr || views->empty()) fail(1, "no [[view]] table; allowed: one or more");
    std::vector<TourStop> stops;
    for (const toml::node& node : *views) {
      if (!node.is_table()) fail(node, "a view is not a table; allowed: [[view]] tables");
      stops.push_back(read_stop(*node.as_table()));
    }
    return stops;
  }

 private:
  TourStop read_stop(const toml::table& table) const {
    allow(table, {"name", "note", "re", "im", "width", "precision", "dwell"}, "a view");
    TourStop stop;
    stop.name = read_text(table, "name", kMaxName);
    if (stop.name.empty()) fail(table, "a view has no name; allowed: 1 to 64 characters");
    stop.note = read_text(table, "note", kMaxNote);
    stop.view.centre.x = read_number(table, "re", -4, 4);
    stop.view.centre.y = read_number(table, "im", -4, 4);
    stop.view.width = read_number(table, "width", 1e-13, 16);
    if (const toml::node* node = table.get("precision")) {
      stop.precision = read_at(*node, [&] {
        return parse_choice("precision", node->value_or(std::string("none")), kDirectPrecisions);
      });
    }
    if (const toml::node* node = table.get("dwell")) {
      const auto limit = node->value_exact<std::int64_t>();
      if (!limit || *limit < 1 || *limit > std::int64_t{kMaxNarrowLimit}) {
        fail(*node,
             fmt::format("dwell is not allowed; allowed: a whole number from 1 to {}", kMaxNarrowLimit));
      }
      stop.dwell_limit = static_cast<std::uint32_t>(*limit);
    }
    return stop;
  }

  std::string read_text(const toml::table& table, std::string_view key, std::size_t longest) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const auto text = node->value_exact<std::string>();
    if (!text || text->size() > longest) {
      fail(*node, fmt::format("{} is not allowed; allowed: a text of up to {} bytes", key, longest));
    }
    return *text;
  }

  double read_number(const toml::table& table, std::string_view key, double lowest, double highest) const {
    const auto allowed = fmt::format("allowed: a number from {} to {}", lowest, highest);
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, fmt::format("a view has no {}; {}", key, allowed));
    // NAN is a float, to which value_or() would round the number.
    constexpr double kNone = NAN;
    const double value = node->is_number() ? node->value_or(kNone) : kNone;
    if (!(value >= lowest && value <= highest)) {
      fail(*node, fmt::format("{} is not allowed; {}", key, allowed));
    }
    return value;
  }
};

}  // namespace

std::vector<TourStop> parse_tour(std::string_view text, std::string_view file) {
  return TourReader(file).read(
      parse_toml(text, std::string(file), fmt::format("[[view]] tables with {}", kAllowedKeys)));
}

const std::vector<TourStop>& built_in_tour() {
  static const std::vector<TourStop> stops = parse_tour(embedded::tour_toml, "tour.toml");
  return stops;
}

namespace {

/// Width of the view of a minibrot in sizes of its cardioid: the whole set is about four times as wide.
constexpr double kShownSizes = 4;

}  // namespace

void MinibrotSearch::start(const ComplexView& view, glm::ivec2 picture, std::uint32_t max_period) {
  if (running()) {
    task_.cancel();
    task_.wait();
  }
  max_period_ = max_period;
  angle_ = view.angle;
  const glm::uvec2 size(picture);
  task_.start(
      [decimal = decimal_of(view), size, max_period](ProgressMonitor& monitor) {
        const ProgressScope call(&monitor, max_period);
        return find_nucleus(decimal, size.x, size.y, max_period, cpu::orbit_memory(), call);
      },
      "out of memory for the search");
}

std::optional<MinibrotSearch::Outcome> MinibrotSearch::poll(TaskTimeout timeout) {
  auto outcome = task_.poll(timeout);
  if (!outcome || !outcome->result || !*outcome->result) return outcome;
  const Nucleus& nucleus = **outcome->result;
  DecimalView view = moved({nucleus.re, nucleus.im, nucleus.size}, 0, 0, kShownSizes);
  try {
    validate(view);
    found_ = Minibrot{nucleus.period, nucleus.size, complex_view(std::move(view), angle_)};
  } catch (const InputError& error) {
    outcome->problem = fmt::format("The nearest minibrot is too small: {}", error.what());
    outcome->result.reset();
  }
  return outcome;
}

namespace {

/// Runs per candidate that may be the fastest. Only one on the host, where runs are long and compete with
/// frames for the cores.
std::uint32_t runs_on(const Device& device) {
  return device.on_host ? 1 : 3;
}

}  // namespace

bool AutoTuner::TuningProblem::same(const TuningProblem& other) const {
  const auto without_plan = [](MandelbrotConfig of) {
    of.method = MandelbrotMethod::kAsk;
    of.g = of.r = of.b = 2;
    return of;
  };
  return view == other.view && backend.same_device(other.backend) &&
         may_be_exhaustive == other.may_be_exhaustive && without_plan(config) == without_plan(other.config);
}

void AutoTuner::request(const TuningProblem& what) {
  if (task_.running()) {
    if (!running_.same(what)) task_.cancel();
    return;
  }
  if (!needs_search(what)) return;
  if (!engine_ || !engine_of_.same_device(what.backend)) {
    engine_ = make_mandelbrot_engine(what.backend);
    engine_of_ = what.backend;
  }
  running_ = what;
  PlanSearchOptions search{.may_be_exhaustive = what.may_be_exhaustive, .runs = runs_on(what.backend.device)};
  if (result_ && !result_->plan.exhaustive) search.first = result_->plan.cut;
  task_.start([this, what, search](ProgressMonitor& watch) mutable -> std::optional<TuningResult> {
    search.after_each = [&watch](const CutSearch&) {
      if (watch.cancelled()) throw OperationCancelled();
    };
    engine_->set_monitor(&watch);
    const CutSearch cuts = find_fastest_plan(*engine_, what.config, what.view, search);
    const auto& best = cuts.best();
    if (!best || best->time == std::numeric_limits<double>::max()) return std::nullopt;
    TuningResult result{what, best->plan, best->time, std::nullopt, cuts.timed().size()};
    for (const CutSearch::PlanTiming& timed : cuts.timed()) {
      if (timed.plan.exhaustive) result.exhaustive_ms = timed.time;
    }
    return result;
  });
}

bool AutoTuner::poll(TaskTimeout timeout) {
  auto outcome = task_.poll(timeout);
  if (!outcome || outcome->cancelled) return false;
  searched_ = running_;
  // After a failure the settings stay as they are.
  if (!outcome->result || !*outcome->result) return false;
  result_ = std::move(*outcome->result);
  return true;
}

void AutoTuner::cancel() {
  if (!task_.running()) return;
  searched_ = running_;
  task_.cancel();
}

const AutoTuner::TuningResult* AutoTuner::result_for(const TuningProblem& what) const {
  return result_ && result_->what.same(what) ? &*result_ : nullptr;
}

void LevelAnimation::toggle_playing() {
  playing_ = !playing_;
  since_.reset();
  if (playing_) shown_ = 0;
}

void LevelAnimation::step(int direction) {
  playing_ = false;
  const int last = std::max(levels_ - 1, 0);
  shown_ = std::clamp(shown_.value_or(direction > 0 ? -1 : last + 1) + direction, 0, last);
}

void LevelAnimation::show_all() {
  playing_ = false;
  shown_.reset();
}

void LevelAnimation::update(double seconds, int levels) {
  levels_ = levels;
  if (shown_) shown_ = std::clamp(*shown_, 0, std::max(levels - 1, 0));
  if (!playing_) return;
  if (!since_) since_ = seconds;
  if (seconds - *since_ < kSecondsPerLevel) return;
  shown_ = levels > 0 ? (*shown_ + 1) % levels : 0;
  since_ = seconds;
}

}  // namespace loom::app
