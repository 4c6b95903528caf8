#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <memory>

#include "app/plot/diagram_file.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr double kPixelsPerPoint = 2;  ///< resolution of a PNG

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED)
    throw InputError(fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)));
}

void set_font(cairo_t* context, diagram::Text::Face face, double size) {
  using Face = diagram::Text::Face;
  cairo_select_font_face(context, face == Face::kMono ? "DejaVu Sans Mono" : "DejaVu Sans",
                         CAIRO_FONT_SLANT_NORMAL,
                         face == Face::kBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
}

double width_of(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

struct CairoPainter {
  cairo_t* context;
  double em;
  double pixels;  ///< per point; lines along the axes are aligned to them

  glm::dvec2 at(glm::vec2 place) const { return (glm::dvec2(place) + kPageBorder) * em; }
  glm::dvec2 sharp(glm::vec2 place) const { return (glm::floor(at(place) * pixels) + 0.5) / pixels; }
  void line_to(glm::dvec2 place) const { cairo_line_to(context, place.x, place.y); }
  void set(const diagram::Paint& paint) const {
    const glm::u8vec3 colour = paper_colour(paint);
    cairo_set_source_rgb(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
  }
  void stroke(const diagram::Paint& paint, float thickness, std::span<const float> dash = {}) const {
    set(paint);
    std::vector<double> lengths;
    for (const float length : dash) lengths.push_back(static_cast<double>(length) * em);
    cairo_set_dash(context, lengths.data(), static_cast<int>(lengths.size()), 0);
    cairo_set_line_width(context, std::max(kMinLineWidth, static_cast<double>(thickness) * em));
    cairo_stroke(context);
  }

  void operator()(const diagram::Fill& fill) const {
    set(fill.paint);
    const glm::dvec2 corner = at(fill.box.corner);
    const glm::dvec2 size = glm::dvec2(fill.box.size) * em;
    cairo_rectangle(context, corner.x, corner.y, size.x, size.y);
    // Antialiased edges would leave visible seams between adjacent rectangles.
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
    cairo_fill(context);
    cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
  }
  void operator()(const diagram::Frame& frame) const {
    const glm::dvec2 corner = sharp(frame.box.corner);
    const glm::dvec2 size = sharp(frame.box.end()) - corner;
    cairo_rectangle(context, corner.x, corner.y, size.x, size.y);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER);
    stroke(frame.paint, frame.thickness);
  }
  void operator()(const diagram::Text& text) const {
    set(text.paint);
    set_font(context, text.face, static_cast<double>(text.size) * em);
    const double width = text.align == diagram::Align::kLeft ? 0 : width_of(context, text.text);
    const glm::dvec2 place = at(text.at);
    cairo_move_to(context, place.x - (text.align == diagram::Align::kCentre ? width / 2 : width),
                  place.y + kBaseline * static_cast<double>(text.size) * em);
    cairo_show_text(context, text.text.c_str());
    cairo_new_path(context);  // the text leaves a current point at its end
  }
  void operator()(const diagram::Polyline& line) const {
    const auto& points = line.points;
    const bool along_axis = points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    for (const glm::vec2& point : points) line_to(along_axis ? sharp(point) : at(point));
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    stroke(line.paint, line.thickness, line.dash);
  }
  void operator()(const diagram::Polygon& polygon) const {
    for (const glm::vec2& point : polygon.points) line_to(at(point));
    cairo_close_path(context);
    set(polygon.paint);
    cairo_fill(context);
  }
};

}  // namespace

diagram::TextWidth paper_text_width() {
  constexpr double kSize = 100;  // large, so that rounding to pixels does not matter
  const std::shared_ptr<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1),
                                                 cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  return [context](std::string_view text, diagram::Text::Face face) {
    set_font(context.get(), face, kSize);
    return static_cast<float>(width_of(context.get(), std::string(text)) / kSize);
  };
}

std::string paint_with_cairo(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                             const std::string& title) {
  const bool pdf = format == FigureFormat::kPdf;
  const glm::dvec2 size = (glm::dvec2(diagram.size()) + 2 * kPageBorder) * text_size;
  const double pixels = pdf ? 1 : kPixelsPerPoint;
  std::string bytes;
  const std::shared_ptr<cairo_surface_t> surface(
      pdf ? cairo_pdf_surface_create_for_stream(append, &bytes, size.x, size.y)
          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(size.x * pixels)),
                                       static_cast<int>(std::ceil(size.y * pixels))),
      cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  if (pdf) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_scale(context.get(), pixels, pixels);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const CairoPainter painter{context.get(), text_size, pixels};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  check(cairo_status(context.get()));
  if (!pdf) check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

void paint_pixels(const diagram::Diagram& diagram, glm::ivec2 size, std::vector<std::uint8_t>& rgb) {
  const std::shared_ptr<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.x, size.y), cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const glm::dvec2 page = glm::dvec2(diagram.size()) + 2 * kPageBorder;
  const double em = std::min(size.x / page.x, size.y / page.y);
  cairo_translate(context.get(), (size.x - page.x * em) / 2, (size.y - page.y * em) / 2);
  const CairoPainter painter{context.get(), em, 1};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  check(cairo_status(context.get()));
  cairo_surface_flush(surface.get());
  const unsigned char* const bytes = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  rgb.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * 3);
  std::size_t at = 0;
  for (int y = 0; y < size.y; ++y) {
    for (int x = 0; x < size.x; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel,
                  bytes + static_cast<std::ptrdiff_t>(y) * stride + static_cast<std::ptrdiff_t>(x) * 4, 4);
      rgb[at++] = static_cast<std::uint8_t>(pixel >> 16);
      rgb[at++] = static_cast<std::uint8_t>(pixel >> 8);
      rgb[at++] = static_cast<std::uint8_t>(pixel);
    }
  }
}

}  // namespace loom::app::plot
