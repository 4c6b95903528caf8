#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::app {

namespace {

/// Conversion between sRGB values (0 to 255) and linear light (0 to 65535).
struct Light {
  std::array<std::uint32_t, 256> of;
  std::array<std::uint32_t, 256> up_to;  ///< the largest linear value that rounds to each sRGB value

  Light() : of(), up_to() {
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double c = static_cast<double>(i) / 255;
      const double light = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
      of[i] = static_cast<std::uint32_t>(std::lround(65535 * light));
    }
    for (std::size_t i = 0; i + 1 < of.size(); ++i) up_to[i] = (of[i] + of[i + 1]) / 2;
    up_to.back() = 65535;
  }

  std::uint8_t number(std::uint32_t light) const {
    return static_cast<std::uint8_t>(std::ranges::lower_bound(up_to, light) - up_to.begin());
  }
};

const Light& light() {
  static const Light table;
  return table;
}

}  // namespace

int samples_at_rest(int choice, double ms) {
  constexpr double kMostMs = 3000;  // of all samples
  if (choice != kSamplesByTime) return choice;
  int samples = 1;
  for (const int more : kSamplesPerAxis) {
    if (more * more * ms <= kMostMs) samples = more;
  }
  return samples;
}

MandelbrotView sample_view(const MandelbrotView& view, int samples_per_axis, int index) {
  // Even positions first: the samples of 2 x 2 are the first of 4 x 4.
  static constexpr std::array<std::array<int, 2>, 16> kPlaces = {{{0, 0},
                                                                  {2, 0},
                                                                  {0, 2},
                                                                  {2, 2},
                                                                  {1, 1},
                                                                  {3, 3},
                                                                  {3, 1},
                                                                  {1, 3},
                                                                  {1, 0},
                                                                  {3, 2},
                                                                  {0, 1},
                                                                  {2, 3},
                                                                  {3, 0},
                                                                  {1, 2},
                                                                  {2, 1},
                                                                  {0, 3}}};
  const auto& [x, y] = kPlaces[static_cast<std::size_t>(samples_per_axis == 1 ? 0 : index)];
  const ComplexWindow& window = view.window;
  const glm::dvec2 way = turned({x / 4.0 * (window.re_max - window.re_min) / view.width,
                                 y / 4.0 * (window.im_max - window.im_min) / view.height},
                                view.angle);
  MandelbrotView shifted = view;
  if (view.decimal) {
    const glm::dvec2 by = turned(glm::dvec2(x, y) / 4.0 / static_cast<double>(view.width), view.angle);
    shifted.decimal = std::make_shared<const DecimalView>(moved(*view.decimal, by.x, by.y));
  }
  shifted.window = {window.re_min + way.x, window.re_max + way.x, window.im_min + way.y,
                    window.im_max + way.y};
  return shifted;
}

glm::u8vec3 dwell_colour(const render::DwellTable& table, std::uint32_t value, bool smooth) {
  const render::DwellScale& scale = table.scale;
  const auto colour_of = [&](std::uint32_t dwell) {
    return table.colours[scale.entry(dwell, table.colours.size())];
  };
  if (!smooth) return colour_of(value);
  const int digits = smooth_digits(scale.limit);
  const std::uint32_t dwell = value >> digits;
  const glm::u8vec3 below = colour_of(dwell);
  // Do not interpolate towards the interior colour, which is not part of the scale.
  const std::uint32_t next = dwell + (1u << scale.shift);
  if (dwell < scale.first || next >= scale.limit) return below;
  const std::uint32_t in_entry = (dwell - scale.first) & ((1u << scale.shift) - 1);
  const double part = std::ldexp(in_entry + std::ldexp(value & ((1u << digits) - 1), -digits),
                                 -static_cast<int>(scale.shift));
  return render::mix_colours(below, colour_of(next), part);
}

void PictureMean::begin(int width, int height) {
  width_ = width;
  height_ = height;
  pictures_ = 0;
  sums_.assign(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
}

void PictureMean::add(const ImageView& image, const render::DwellTable& colours) {
  const bool smooth = image.format == PixelFormat::kSmoothDwell32;
  const bool is_narrow = image.format == PixelFormat::kDwell16;
  const Light& table = light();
  std::size_t at = 0;
  for (int y = 0; y < height_; ++y) {
    const auto* const row =
        static_cast<const std::byte*>(image.pixels) + static_cast<std::size_t>(y) * image.row_bytes;
    const auto* const narrow = reinterpret_cast<const std::uint16_t*>(row);
    const auto* const wide = reinterpret_cast<const std::uint32_t*>(row);
    for (int x = 0; x < width_; ++x) {
      const glm::u8vec3 colour = dwell_colour(colours, is_narrow ? narrow[x] : wide[x], smooth);
      for (int channel = 0; channel < 3; ++channel) sums_[at++] += table.of[colour[channel]];
    }
  }
  ++pictures_;
}

void PictureMean::row(int y, std::span<glm::u8vec3> colours) const {
  const auto count = static_cast<std::uint32_t>(pictures_);
  const Light& table = light();
  std::size_t at = 3 * static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
  const auto next = [&] { return table.number((sums_[at++] + count / 2) / count); };
  for (glm::u8vec3& colour : colours) {
    for (int channel = 0; channel < 3; ++channel) colour[channel] = next();
  }
}

void PictureMean::packed(std::vector<std::uint32_t>& colours) const {
  std::vector<glm::u8vec3> one(static_cast<std::size_t>(width_));
  colours.clear();
  colours.reserve(one.size() * static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y) {
    row(y, one);
    for (const glm::u8vec3& colour : one) {
      colours.push_back(static_cast<std::uint32_t>(colour.r) | static_cast<std::uint32_t>(colour.g) << 8 |
                        static_cast<std::uint32_t>(colour.b) << 16 | 0xff000000u);
    }
  }
}

double Supersampler::share() const {
  if (!working()) return 0;
  return static_cast<double>(taken_) / (request_->samples_per_axis * request_->samples_per_axis);
}

void Supersampler::forget() {
  task_.cancel();
  request_.reset();
  ended_ = false;
  shown_ = 1;
}

void Supersampler::cancel() {
  if (!working()) return;
  task_.cancel();
  ended_ = true;
}

bool Supersampler::advance(const Request& request, const render::DwellTable& colours, TaskTimeout timeout) {
  if (request_ && !request_->same(request)) forget();
  const int shown = shown_;
  if (task_.running()) {
    auto outcome = task_.poll(timeout);
    if (!outcome) return false;
    take_sample(std::move(*outcome));
  }
  if (!request_) {
    request_ = running_ = request;
    ended_ = request.samples_per_axis == 1;
    taken_ = 0;
    colours_.assign(colours.colours.begin(), colours.colours.end());
    scale_ = colours.scale;
    mean_.begin(0, 0);
  }
  if (!ended_ && taken_ == request_->samples_per_axis * request_->samples_per_axis) ended_ = true;
  if (!ended_) begin_sample();
  return shown_ > shown;
}

// The sample may belong to a request that was replaced or cancelled.
void Supersampler::take_sample(Task<SampleResult>::Outcome outcome) {
  if (!working() || !running_.same(*request_)) return;
  if (!outcome.result) {
    ended_ = true;
    if (!outcome.cancelled)
      problem_ = fmt::format("cannot compute more samples per pixel: {}", outcome.problem);
    return;
  }
  ++taken_;
  if (!*outcome.result) return;
  picture_ = std::move((*outcome.result)->packed);
  shown_ = (*outcome.result)->samples_per_axis;
  width_ = mean_.width();
  height_ = mean_.height();
}

Supersampler::SampleResult Supersampler::compute_sample(ProgressMonitor& monitor) {
  const Request& of = running_;
  if (!engine_ || !engine_backend_ || !engine_backend_->same_device(of.backend)) {
    engine_ = make_mandelbrot_engine(of.backend);
    engine_backend_ = of.backend;
  }
  const MandelbrotView view = sample_view(of.view, of.samples_per_axis, taken_);
  if (taken_ == 0) mean_.begin(static_cast<int>(view.width), static_cast<int>(view.height));
  engine_->set_monitor(&monitor);
  engine_->compute(of.config, view);
  if (of.smooth) engine_->compute_smooth();
  check_cancel(&monitor);
  mean_.add(of.smooth ? engine_->smooth_image(MemorySpace::kHost) : engine_->image(MemorySpace::kHost),
            {colours_, scale_});
  // The first 4 of 16 samples form a complete picture.
  const int taken = taken_ + 1;
  if (taken != 4 && taken != of.samples_per_axis * of.samples_per_axis) return std::nullopt;
  FinerPicture picture{.packed = {}, .samples_per_axis = taken == 4 ? 2 : of.samples_per_axis};
  mean_.packed(picture.packed);
  return picture;
}

}  // namespace loom::app
