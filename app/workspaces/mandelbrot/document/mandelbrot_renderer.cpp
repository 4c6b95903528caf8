#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <string>
#include <utility>

#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

ComplexView view_in(const MandelbrotState& state, glm::ivec2 size, glm::dvec2 on_screen = {}) {
  if (!state.view) return default_view(size, state.settings.config.set);
  const bool is_wider = size.x * on_screen.y > (size.y + 1) * on_screen.x && on_screen.x > 0;
  if (!is_wider) return *state.view;
  ViewRequest whole = *state.view;
  whole.height = moved(decimal_of(*state.view), 0, 0, on_screen.y / on_screen.x).width;
  return whole.fitted_to_aspect(static_cast<double>(size.x) / size.y);
}

std::vector<ComplexView> keyframes_of(const MandelbrotState& state, const scene::RenderRequest& request) {
  std::vector<ComplexView> views;
  for (const scene::Json& place : request.keyframes)
    views.push_back(read_mandelbrot_place(JsonReader(place, "keyframe")).view);
  if (views.empty()) views.push_back(view_in(state, request.size, request.on_screen));
  return views;
}

}  // namespace

MandelbrotRenderer::MandelbrotRenderer(const MandelbrotState& state, const scene::RenderRequest& request)
    : rows_(state.settings, view_in(state, request.size, request.on_screen), request.size,
            palette_or_first(request.custom_palettes, state.settings.palette), request.backend),
      path_(keyframes_of(state, request)) {}

void MandelbrotRenderer::show_frame(int frame, int frames, ProgressMonitor* watch) {
  // The reference orbit of the deepest frame serves the others too.
  if (!std::exchange(orbit_prepared_, true)) rows_.prepare(path_.deepest(), watch);
  rows_.look_at(path_.at(frames > 1 ? static_cast<double>(frame) / (frames - 1) : 0));
}

std::vector<scene::Json> MandelbrotState::flight(glm::ivec2 size) const {
  if (settings.volume.shown) return {};
  const EscapeTimeSet& set = settings.config.set;
  const auto place = [&](const ComplexView& at) {
    return loom::app::to_json(MandelbrotPlace{.view = at, .set = set});
  };
  return {place(default_view(size, set)), place(view_in(*this, size))};
}

std::unique_ptr<scene::StateRenderer> MandelbrotState::renderer(const scene::RenderRequest& request,
                                                                ProgressMonitor* watch) const {
  if (settings.volume.shown) return make_volume_renderer(*this, request, watch);
  return std::make_unique<MandelbrotRenderer>(*this, request);
}

namespace {

constexpr int kTileSide = 1024;
constexpr int kFewPixels = 16;  ///< of the longer side of an image that is computed for its orbit only

/// The view of a part of an image.
MandelbrotView part_of(const ComplexView& view, glm::ivec2 size, const render::Rect<int>& part,
                       Precision precision) {
  const glm::uvec2 pixels(part.size);
  if (is_perturbed(precision)) {
    const glm::dvec2 by =
        turned((glm::dvec2(part.corner + part.end()) - glm::dvec2(size)) / (2.0 * size.x), view.angle);
    const double factor = static_cast<double>(part.size.x) / size.x;
    return make_decimal_view(moved(decimal_of(view), by.x, by.y, factor), pixels.x, pixels.y, view.angle);
  }
  // A part is turned about its own middle.
  const glm::dvec2 middle = glm::dvec2(part.corner + part.end()) / 2.0;
  const ComplexView upright{view.centre, view.width};
  const glm::dvec2 by = point_at(view, size, middle) - point_at(upright, size, middle);
  const glm::dvec2 low = point_at(upright, size, glm::dvec2(part.corner)) + by;
  const glm::dvec2 high = point_at(upright, size, glm::dvec2(part.end())) + by;
  return {{low.x, high.x, low.y, high.y}, pixels.x, pixels.y, nullptr, view.angle};
}

}  // namespace

MandelbrotRows::MandelbrotRows(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 size,
                               const render::Palette& palette, const BackendSelection& backend)
    : settings_(settings),
      view_(view),
      size_(size),
      palette_(palette),
      engine_(make_mandelbrot_engine(backend)) {
  settings_.config.optimisations = {};
  settings_.config.optimisations.mirror = false;
  look_at(view);
}

void MandelbrotRows::look_at(const ComplexView& view) {
  view_ = view;
  coloured_ = false;
  MandelbrotSettings settings = settings_;
  if (!fits_precision(view, size_, settings.config.precision)) settings.config.precision = Precision::kAuto;
  config_ = config_for(settings, view, size_);
}

void MandelbrotRows::prepare(const ComplexView& view, ProgressMonitor* watch) {
  look_at(view);
  if (!is_perturbed(config_.precision)) return;
  const glm::ivec2 few = glm::max(size_ / std::max(1, std::max(size_.x, size_.y) / kFewPixels), 1);
  const ScopedMonitor watched(*engine_, watch);
  engine_->compute(config_, mandelbrot_view(view_, few, config_.precision));
}

void MandelbrotRows::find_colours(ProgressMonitor* watch) {
  const int side = std::max(size_.x, size_.y);
  const double factor = std::min(1.0, static_cast<double>(kColourSampleSide) / side);
  const glm::ivec2 small = glm::max(glm::ivec2(glm::round(glm::dvec2(size_) * factor)), 1);
  {
    const ScopedMonitor watched(*engine_, watch);
    engine_->compute(config_, mandelbrot_view(view_, small, config_.precision));
  }
  dwell_colours(palette_, settings_.dwell_colouring(), count_dwells_by_scale(*engine_), colours_);
  coloured_ = true;
}

void MandelbrotRows::tile(const render::Rect<int>& tile, std::uint8_t* into, ProgressMonitor* watch) {
  const MandelbrotView part = part_of(view_, size_, tile, config_.precision);
  const bool smooth = is_continuous(settings_.colouring);
  mean_.begin(tile.size.x, tile.size.y);
  const ScopedMonitor watched(*engine_, watch);
  const int samples = samples_in_file(settings_.samples_per_axis);
  for (int point = 0; point < samples * samples; ++point) {
    engine_->compute(config_, sample_view(part, samples, point));
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    if (smooth) engine_->compute_smooth();
    mean_.add(smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
              colours_.table());
  }
  row_.resize(static_cast<std::size_t>(tile.size.x));
  for (int row = 0; row < tile.size.y; ++row) {
    mean_.row(row, row_);
    std::uint8_t* at = into + (static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.x) +
                               static_cast<std::size_t>(tile.corner.x)) *
                                  3;
    for (const glm::u8vec3& colour : row_) {
      for (int channel = 0; channel < 3; ++channel) *at++ = colour[channel];
    }
  }
}

void MandelbrotRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  if (!coloured_) find_colours(watch);
  const auto row_bytes = static_cast<std::size_t>(size_.x) * 3;
  rgb.resize(row_bytes * static_cast<std::size_t>(count));
  for (int y = 0; y < count; y += kTileSide) {
    const int height = std::min(kTileSide, count - y);
    for (int x = 0; x < size_.x; x += kTileSide) {
      if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
      tile({{x, first + y}, {std::min(kTileSide, size_.x - x), height}},
           rgb.data() + static_cast<std::size_t>(y) * row_bytes, watch);
    }
  }
}

namespace {

/// Length of a leg: one octave of zoom counts as much as a movement by one picture width, or a turn by 90
/// degrees. A minimum length avoids empty legs.
double length_of(const ComplexView& from, const ComplexView& to) {
  const double octaves = std::abs(log2_width(to) - log2_width(from)) + std::abs(to.angle - from.angle) / 90;
  if (from.decimal || to.decimal) {
    const bool inwards = log2_width(to) < log2_width(from);
    const DecimalOffset way =
        offset_between(decimal_of(inwards ? from : to), decimal_of(inwards ? to : from));
    return std::max(0.25, octaves + std::hypot(way.right, way.down));
  }
  const glm::dvec2 way = to.centre - from.centre;
  const double moved = std::hypot(way.x, way.y) / std::max(from.width, to.width);
  return std::max(0.25, octaves + moved);
}

/// Smoothstep: 3 t^2 - 2 t^3.
double eased(double t) {
  return t * t * (3 - 2 * t);
}

/// 2^`octaves` as a decimal number.
std::string power_text(double octaves) {
  const double whole = std::floor(octaves);
  return decimal_text({std::exp2(octaves - whole), static_cast<std::int32_t>(whole)});
}

// As below, in terms of the narrower view: its centre is at -offset * rest widths of the view between.
ComplexView between_decimal(const ComplexView& from, const ComplexView& to, double t) {
  const bool inwards = log2_width(to) < log2_width(from);
  const DecimalView wide = decimal_of(inwards ? from : to);
  const DecimalView narrow = decimal_of(inwards ? to : from);
  const DecimalOffset offset = offset_between(wide, narrow);
  if (std::abs(1 - offset.scale) < 1e-9) {
    const double share = inwards ? t : 1 - t;
    return complex_view(moved(wide, offset.right * share, offset.down * share));
  }
  const double octaves = log2_width(from) + (log2_width(to) - log2_width(from)) * t;
  const double narrower = std::exp2(std::min(log2_width(from), log2_width(to)) - octaves);
  const double rest = (1 - narrower) / (1 - offset.scale);
  return complex_view(
      moved({narrow.re, narrow.im, power_text(octaves)}, -offset.right * rest, -offset.down * rest));
}

ComplexView between(const ComplexView& from, const ComplexView& to, double t) {
  if (t <= 0) return from;
  if (t >= 1) return to;
  const double angle = from.angle + (to.angle - from.angle) * t;
  if (from.decimal || to.decimal) return turned(between_decimal(from, to, t), angle);
  const double width = from.width * std::pow(to.width / from.width, t);
  // The centre moves in proportion to the change in width, so that the point at the same position in both
  // views does not move.
  const double span = to.width - from.width;
  const bool same_width = std::abs(span) < 1e-9 * std::max(from.width, to.width);
  const double share = same_width ? t : (width - from.width) / span;
  return {from.centre + (to.centre - from.centre) * share, width, nullptr, angle};
}

}  // namespace

ZoomPath::ZoomPath(std::vector<ComplexView> keyframes) : keyframes_(std::move(keyframes)) {
  if (keyframes_.empty()) throw InputError("a flight needs at least one view");
  double all = 0;
  for (std::size_t i = 0; i + 1 < keyframes_.size(); ++i) {
    begins_.push_back(all);
    all += length_of(keyframes_[i], keyframes_[i + 1]);
  }
  for (double& begin : begins_) begin /= all;
}

const ComplexView& ZoomPath::deepest() const {
  return *std::ranges::min_element(keyframes_, {}, [](const ComplexView& view) { return log2_width(view); });
}

ComplexView ZoomPath::at(double time) const {
  if (begins_.empty() || !(time > 0)) return keyframes_.front();
  if (time >= 1) return keyframes_.back();
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), time);
  const auto leg = static_cast<std::size_t>(std::distance(begins_.begin(), next)) - 1;
  const double end = leg + 1 < begins_.size() ? begins_[leg + 1] : 1;
  return between(keyframes_[leg], keyframes_[leg + 1], eased((time - begins_[leg]) / (end - begins_[leg])));
}

}  // namespace loom::app
