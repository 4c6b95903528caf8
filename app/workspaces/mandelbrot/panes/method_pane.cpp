#include "app/workspaces/mandelbrot/panes/method_pane.h"

#include <new>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {

DwellRequest MethodPane::request_for(const DwellRequest& active, MandelbrotMethod method) {
  DwellRequest request = active;
  set_method(request.config, method);
  request.every_frame = false;
  if (method == MandelbrotMethod::kExhaustive) request.regions = false;
  return request;
}

bool MethodPane::is_behind(const DwellRequest& request) const {
  const bool current = runner_.has_picture() && request.same_picture(runner_.request());
  return !current && !runner_.is_abandoned() && !lacks_engine();
}

bool MethodPane::is_done(const DwellRequest& request) const {
  if (runner_.busy() || is_behind(request)) return false;
  return runner_.is_abandoned() || runner_.is_idle() || lacks_engine();
}

bool MethodPane::advance(const DwellRequest& request, const BackendSelection& backend, TaskTimeout timeout) {
  try {
    runner_.use_backend(backend);
    presenter_.use_backend(runner_.backend());
    const bool new_picture = runner_.advance(request, timeout);
    if (new_picture) {
      new_picture_ = true;
      problem_.clear();
      if (runner_.counted_anew()) {
        changed_ = true;
        coloured_.reset();
      }
    } else if (!runner_.problem().empty()) {
      problem_ = runner_.problem();
      changed_ = true;
    }
    runner_.clear_problem();
    return new_picture || runner_.busy();
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_ = "out of memory for the picture";
  }
  return false;
}

void MethodPane::follow_samples(const MandelbrotSettings& settings, const ComplexView& view,
                                glm::ivec2 picture, bool may_begin) {
  sampled_.follow({.runner = runner_,
                   .settings = settings,
                   .view = view,
                   .picture = picture,
                   .backend = services_.backend,
                   .colours = coloured_ ? colours_.table() : render::DwellTable(),
                   .may_begin = may_begin,
                   .waits = services_.waits});
  if (std::string problem = sampled_.take_problem(); !problem.empty()) problem_ = std::move(problem);
}

void MethodPane::cancel() {
  runner_.cancel();
  sampled_.cancel();
}

void MethodPane::draw(const render::Rect<int>& target, const ViewedPicture& seen,
                      const MandelbrotSettings& settings, const render::Palette& palette) {
  presenter_.set_palette(palette);
  const ColourInputs inputs{settings.dwell_colouring(), presenter_.palette_number()};
  if (runner_.has_picture() && coloured_ != inputs) {
    dwell_colours(palette, inputs.how, runner_.histogram(), colours_);
    presenter_.set_dwell_colours(colours_.table());
    sampled_.recoloured();
    coloured_ = inputs;
  }
  if (new_picture_ && !runner_.busy()) {
    presenter_.transfer(runner_.image(presenter_.preferred_space()));
    new_picture_ = false;
    displayed_ = {runner_.request().view, runner_.request().picture};
  }
  if (displayed_) {
    const render::Rect<int> place = picture_rect(seen);
    presenter_.draw_dwells(target, {target.corner + place.corner, place.size});
  }
  sampled_.draw(presenter_.framebuffer(), target);
}

render::Rect<int> MethodPane::picture_rect(const ViewedPicture& seen) const {
  const render::Rect<int> whole{{}, seen.size};
  return displayed_ ? place_in(seen, *displayed_).value_or(whole) : whole;
}

std::span<const PictureMark> MethodPane::marks(RegionOverlay overlay, std::optional<int> up_to, float scale) {
  if (overlay == RegionOverlay::kLevels || overlay == RegionOverlay::kQuantities) {
    marks_.request(runner_.regions(), runner_.regions_number(),
                   {.overlay = overlay, .up_to = up_to, .scale = scale});
  } else {
    marks_.forget();
  }
  return marks_.marks();
}

}  // namespace loom::app
