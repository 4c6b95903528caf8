#pragma once

#include <cairo.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/style.h"

namespace loom::app::plot {

enum class Weight { kNormal, kBold };
/// Alignment of a text to its point.
enum class Align { kLeft, kCentre, kRight };

struct TextStyle {
  double size = 11;
  Weight weight = Weight::kNormal;
  bool mono = false;  ///< DejaVu Sans Mono
  Colour colour = {0.13, 0.13, 0.13};
};

struct Size {
  double width = 0;
  double height = 0;
};

/// A page in units of 1/72 inch, y down; a PNG has two pixels per unit. Throws InputError if Cairo fails.
class Canvas {
 public:
  Canvas(FigureFormat format, Size size, const std::string& title);

  /// Width of a text in DejaVu Sans.
  double text_width(std::string_view text, const TextStyle& style);
  void text(double x, double baseline, std::string_view text, const TextStyle& style,
            Align align = Align::kLeft);
  /// A vertical text that reads upwards, centred on its point.
  void upward_text(double x, double y, std::string_view text, const TextStyle& style);

  /// A horizontal or vertical line, aligned to pixels so that it is sharp.
  void straight_line(double x0, double y0, double x1, double y1, const Colour& colour, double width);
  void polyline(std::span<const double> xs, std::span<const double> ys, const Colour& colour,
                std::span<const double> dash, double width);
  /// A filled rectangle.
  void rectangle(double x, double y, const Size& size, const Colour& colour);
  void marker(double x, double y, Marker marker, const Colour& colour, double size);

  /// Ends the page and returns the bytes of the file.
  std::string finish();

 private:
  struct DestroySurface {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };
  struct DestroyContext {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };

  void set(const Colour& colour);
  void set(const TextStyle& style);
  double sharp(double coordinate) const;
  void check() const;

  FigureFormat format_;
  std::unique_ptr<std::string> bytes_;  ///< heap-allocated, because Cairo writes to its address
  std::unique_ptr<cairo_surface_t, DestroySurface> surface_;
  std::unique_ptr<cairo_t, DestroyContext> context_;
};

/// Breaks a text into lines of at most `width`; a wider word has its own line.
std::vector<std::string> wrap(Canvas& canvas, const std::string& text, const TextStyle& style, double width);

}  // namespace loom::app::plot
