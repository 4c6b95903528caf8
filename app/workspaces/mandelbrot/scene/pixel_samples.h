#pragma once

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/tasks/task.h"
#include "compute/core/image_view.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "render/palette.h"

namespace loom::app {

/// Numbers of samples per pixel on each axis.
inline constexpr std::array kSamplesPerAxis = {1, 2, 4};
/// As many as there is time for while the window's picture is at rest, and 2 in an image file.
inline constexpr int kSamplesByTime = 0;
inline constexpr std::array kSampleChoices = {kSamplesByTime, 1, 2, 4};
/// The samples per axis of one of these choices; `ms`: of an image with one sample per pixel.
int samples_at_rest(int choice, double ms);
inline int samples_in_file(int choice) {
  return choice == kSamplesByTime ? 2 : choice;
}

/// One of the samples_per_axis x samples_per_axis images of a view. Each image has one sample per pixel; the
/// samples divide the pixel evenly, starting at the pixel's own point. The first image is the view itself;
/// the first 4 of 16 are those of 2 x 2.
MandelbrotView sample_view(const MandelbrotView& view, int samples_per_axis, int index);

/// The colour of an image value. A dwell has its own colour; a smooth dwell has a mixture of the colours of
/// the entries below and above.
glm::u8vec3 dwell_colour(const render::DwellTable& colours, std::uint32_t value, bool smooth);

/// The mean of images of one size, pixel by pixel, in linear light.
class PictureMean {
 public:
  /// Starts with an empty mean.
  void begin(int width, int height);
  /// Adds an image of dwells or smooth dwells of that size, in host memory.
  void add(const ImageView& image, const render::DwellTable& colours);
  int pictures() const { return pictures_; }
  int width() const { return width_; }
  int height() const { return height_; }
  /// Row y of the mean, width colours; requires at least one image.
  void row(int y, std::span<glm::u8vec3> colours) const;
  /// The whole mean in the format of render::ColourTexture.
  void packed(std::vector<std::uint32_t>& colours) const;

 private:
  int width_ = 0;
  int height_ = 0;
  int pictures_ = 0;
  std::vector<std::uint32_t> sums_;  ///< three values per pixel
};

/// Computes more samples per pixel for a picture at rest, on its own engine and thread. A request runs in the
/// background and ends when another request, or none, arrives. All calls must come from the window's thread.
class Supersampler {
 public:
  /// A request; `colours` is a number that changes with the colours.
  struct Request {
    MandelbrotConfig config = {};
    MandelbrotView view = {};
    BackendSelection backend = {};
    bool smooth = false;
    int samples_per_axis = 1;  ///< samples per axis: one of kSamplesPerAxis
    std::uint64_t colours = 0;
    bool same(const Request& other) const {
      return config == other.config && view == other.view && backend.same_device(other.backend) &&
             smooth == other.smooth && samples_per_axis == other.samples_per_axis && colours == other.colours;
    }
  };

  /// Continues with a request and waits up to `timeout`; a different request restarts. Returns true if
  /// there is a finer picture. A request that was cancelled or failed is not restarted. Throws DeviceFault.
  bool advance(const Request& request, const render::DwellTable& colours, TaskTimeout timeout);
  /// Whether the finished and running work belongs to this request; true if there is none.
  bool is_of(const Request& request) const { return !request_ || request_->same(request); }
  /// Drops the request and its picture.
  void forget();
  /// Drops the picture; the same request is not restarted.
  void cancel();

  /// Samples per axis of the finished picture; 1: none.
  int samples_per_axis() const { return shown_; }
  /// The pixels in the format of render::ColourTexture.
  const std::vector<std::uint32_t>& picture() const { return picture_; }
  int width() const { return width_; }
  int height() const { return height_; }
  bool working() const { return request_.has_value() && !ended_; }
  /// Progress of the running work, 0 to 1.
  double share() const;
  /// Takes the reason for a failure, once.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  /// A picture of more samples per pixel, in the format of render::ColourTexture.
  struct FinerPicture {
    std::vector<std::uint32_t> packed;
    int samples_per_axis = 1;
  };
  /// Nothing after a sample that completes no picture.
  using SampleResult = std::optional<FinerPicture>;
  void take_sample(Task<SampleResult>::Outcome outcome);
  void begin_sample() {
    task_.start([this](ProgressMonitor& monitor) { return compute_sample(monitor); });
  }
  SampleResult compute_sample(ProgressMonitor& monitor);

  std::optional<Request> request_;
  bool ended_ = false;  ///< done, cancelled, or failed
  int shown_ = 1;
  std::vector<std::uint32_t> picture_;
  int width_ = 0;
  int height_ = 0;
  std::string problem_;

  // Used by the task while it runs.
  Request running_;  ///< of the samples that were taken; may differ from `request_` until the task has ended
  int taken_ = 0;    ///< samples per pixel so far
  std::vector<glm::u8vec3> colours_;
  render::DwellScale scale_;  ///< of the colours
  PictureMean mean_;
  std::unique_ptr<MandelbrotEngine> engine_;
  std::optional<BackendSelection> engine_backend_;

  Task<SampleResult> task_;  ///< last member: must end before the members it uses
};

}  // namespace loom::app
