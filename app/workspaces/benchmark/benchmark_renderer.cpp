#include "app/explain/diagram/diagram.h"
#include "app/plot/cairo_painter.h"
#include "app/plot/figure_diagram.h"
#include "app/plot/landscape_figure.h"
#include "app/workspaces/benchmark/benchmark_state.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

diagram::Diagram page_of(const plot::Figure& figure) {
  return plot::figure_diagram(figure, plot::paper_text_width());
}
diagram::Diagram page_of(const plot::LandscapeFigure& landscape) {
  return plot::landscape_diagram(landscape, plot::paper_text_width());
}

class PlotRenderer final : public scene::StateRenderer {
 public:
  PlotRenderer(const BenchSession::Picture& picture, glm::ivec2 size) : image_{size, {}}, rows_(image_) {
    std::visit([&](const auto& figure) { plot::paint_pixels(page_of(figure), size, image_.rgb); }, picture);
  }
  image::ImageRows& rows() override { return rows_; }
  void show_frame(int, int, ProgressMonitor*) override {}

 private:
  render::RgbImage image_;
  image::StoredRows rows_;
};

}  // namespace

std::unique_ptr<scene::StateRenderer> BenchmarkState::renderer(const scene::RenderRequest& request,
                                                               ProgressMonitor*) const {
  if (!picture) throw InputError("there is no plot yet; allowed: when a sweep has results");
  return std::make_unique<PlotRenderer>(*picture, request.size);
}

}  // namespace loom::app
