#include "app/plot/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr double kPixelsPerUnit = 2;  ///< resolution of a PNG

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

cairo_surface_t* make_surface(FigureFormat format, Size size, std::string* bytes) {
  switch (format) {
    case FigureFormat::kSvg:
      return cairo_svg_surface_create_for_stream(append, bytes, size.width, size.height);
    case FigureFormat::kPdf:
      return cairo_pdf_surface_create_for_stream(append, bytes, size.width, size.height);
    case FigureFormat::kPng:
      break;
  }
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                    static_cast<int>(std::ceil(size.width * kPixelsPerUnit)),
                                    static_cast<int>(std::ceil(size.height * kPixelsPerUnit)));
}

/// A regular polygon with one corner at `start` (radians, clockwise from the right).
void polygon(cairo_t* context, double x, double y, double radius, int corners, double start) {
  for (int i = 0; i < corners; ++i) {
    const double angle = start + 2 * std::numbers::pi * i / corners;
    cairo_line_to(context, x + radius * std::cos(angle), y + radius * std::sin(angle));
  }
  cairo_close_path(context);
}

/// `count` lines through the centre, at equal angles.
void strokes(cairo_t* context, double x, double y, double radius, int count, double start) {
  for (int i = 0; i < count; ++i) {
    const double angle = start + std::numbers::pi * i / count;
    cairo_move_to(context, x - radius * std::cos(angle), y - radius * std::sin(angle));
    cairo_line_to(context, x + radius * std::cos(angle), y + radius * std::sin(angle));
  }
  cairo_set_line_width(context, 1.5);
  cairo_stroke(context);
}

}  // namespace

Canvas::Canvas(FigureFormat format, Size size, const std::string& title)
    : format_(format),
      bytes_(std::make_unique<std::string>()),
      surface_(make_surface(format, size, bytes_.get())),
      context_(cairo_create(surface_.get())) {
  if (format_ == FigureFormat::kPng) cairo_scale(context_.get(), kPixelsPerUnit, kPixelsPerUnit);
  if (format_ == FigureFormat::kPdf) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  }
  set(Colour{1, 1, 1});
  cairo_paint(context_.get());
  check();
}

void Canvas::check() const {
  const cairo_status_t status = cairo_status(context_.get());
  if (status != CAIRO_STATUS_SUCCESS) {
    throw InputError(fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)));
  }
}

void Canvas::set(const Colour& colour) {
  cairo_set_source_rgb(context_.get(), colour.red, colour.green, colour.blue);
}

void Canvas::set(const TextStyle& style) {
  set(style.colour);
  const auto weight = style.weight == Weight::kBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL;
  cairo_select_font_face(context_.get(), style.mono ? "DejaVu Sans Mono" : "DejaVu Sans",
                         CAIRO_FONT_SLANT_NORMAL, weight);
  cairo_set_font_size(context_.get(), style.size);
}

double Canvas::text_width(std::string_view text, const TextStyle& style) {
  set(style);
  cairo_text_extents_t extents;
  cairo_text_extents(context_.get(), std::string(text).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(double x, double baseline, std::string_view text, const TextStyle& style, Align align) {
  const double width = align == Align::kLeft ? 0 : text_width(text, style);
  set(style);
  cairo_move_to(context_.get(), x - (align == Align::kCentre ? width / 2 : width), baseline);
  cairo_show_text(context_.get(), std::string(text).c_str());
}

void Canvas::upward_text(double x, double y, std::string_view text, const TextStyle& style) {
  cairo_save(context_.get());
  cairo_translate(context_.get(), x, y);
  cairo_rotate(context_.get(), -std::numbers::pi / 2);
  this->text(0, 0, text, style, Align::kCentre);
  cairo_restore(context_.get());
}

double Canvas::sharp(double coordinate) const {
  const double scale = format_ == FigureFormat::kPng ? kPixelsPerUnit : 1;
  return (std::floor(coordinate * scale) + 0.5) / scale;
}

void Canvas::straight_line(double x0, double y0, double x1, double y1, const Colour& colour, double width) {
  set(colour);
  cairo_set_dash(context_.get(), nullptr, 0, 0);
  cairo_set_line_width(context_.get(), width);
  cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_SQUARE);
  cairo_new_path(context_.get());
  cairo_move_to(context_.get(), sharp(x0), sharp(y0));
  cairo_line_to(context_.get(), sharp(x1), sharp(y1));
  cairo_stroke(context_.get());
}

void Canvas::polyline(std::span<const double> xs, std::span<const double> ys, const Colour& colour,
                      std::span<const double> dash, double width) {
  set(colour);
  cairo_set_dash(context_.get(), dash.data(), static_cast<int>(dash.size()), 0);
  cairo_set_line_width(context_.get(), width);
  cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_new_path(context_.get());  // cairo_show_text() leaves a current point at the end of the text
  for (std::size_t i = 0; i < xs.size(); ++i) cairo_line_to(context_.get(), xs[i], ys[i]);
  cairo_stroke(context_.get());
  cairo_set_dash(context_.get(), nullptr, 0, 0);
}

void Canvas::rectangle(double x, double y, const Size& size, const Colour& colour) {
  set(colour);
  cairo_new_path(context_.get());
  cairo_rectangle(context_.get(), x, y, size.width, size.height);
  // Antialiased edges would leave visible seams between adjacent rectangles.
  cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_NONE);
  cairo_fill(context_.get());
  cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_DEFAULT);
}

void Canvas::marker(double x, double y, Marker marker, const Colour& colour, double size) {
  cairo_t* context = context_.get();
  constexpr double kUp = -std::numbers::pi / 2;
  set(colour);
  cairo_set_dash(context, nullptr, 0, 0);
  cairo_new_path(context);
  switch (marker) {
    case Marker::kCircle:
      cairo_arc(context, x, y, size, 0, 2 * std::numbers::pi);
      break;
    case Marker::kSquare:
      polygon(context, x, y, size * 1.2, 4, std::numbers::pi / 4);
      break;
    case Marker::kTriangle:
      polygon(context, x, y, size * 1.3, 3, kUp);
      break;
    case Marker::kDiamond:
      polygon(context, x, y, size * 1.3, 4, kUp);
      break;
    case Marker::kDownTriangle:
      polygon(context, x, y, size * 1.3, 3, -kUp);
      break;
    case Marker::kRing:
      cairo_arc(context, x, y, size, 0, 2 * std::numbers::pi);
      cairo_set_line_width(context, 1.5);
      cairo_stroke(context);
      return;
    case Marker::kCross:
      strokes(context, x, y, size * 1.2, 2, std::numbers::pi / 4);
      return;
    case Marker::kStar:
      strokes(context, x, y, size * 1.2, 3, std::numbers::pi / 2);
      return;
  }
  cairo_fill(context);
}

std::string Canvas::finish() {
  check();
  if (format_ == FigureFormat::kPng) cairo_surface_write_to_png_stream(surface_.get(), append, bytes_.get());
  cairo_surface_finish(surface_.get());
  const cairo_status_t status = cairo_surface_status(surface_.get());
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED) {
    throw InputError(fmt::format("the figure cannot be written: {}", cairo_status_to_string(status)));
  }
  return std::move(*bytes_);
}

std::vector<std::string> wrap(Canvas& canvas, const std::string& text, const TextStyle& style, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (lines.empty() || canvas.text_width(longer, style) > width) {
      lines.push_back(word);
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

}  // namespace loom::app::plot
