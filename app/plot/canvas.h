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
/// Where a text stands to its point.
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

/// A page to draw on, in units of 1/72 inch, y down; a picture (PNG) has two pixels a unit. Throws InputError
/// where Cairo fails.
class Canvas {
 public:
  Canvas(FigureFormat format, Size size, const std::string& title);

  /// Width of a text in DejaVu Sans.
  double text_width(std::string_view text, const TextStyle& style);
  void text(double x, double baseline, std::string_view text, const TextStyle& style,
            Align align = Align::kLeft);
  /// Reads from the bottom to the top, centred on its point.
  void upward_text(double x, double y, std::string_view text, const TextStyle& style);

  /// A straight line, moved to the middle of a pixel so that it is sharp. Only upright and level lines.
  void ruler(double x0, double y0, double x1, double y1, const Colour& colour, double width);
  void polyline(std::span<const double> xs, std::span<const double> ys, const Colour& colour,
                std::span<const double> dash, double width);
  /// A filled rectangle.
  void rectangle(double x, double y, const Size& size, const Colour& colour);
  void marker(double x, double y, Marker marker, const Colour& colour, double size);

  /// Ends the page and gives the file's bytes.
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
  std::unique_ptr<std::string> bytes_;  ///< at a fixed address, which Cairo writes to
  std::unique_ptr<cairo_surface_t, DestroySurface> surface_;
  std::unique_ptr<cairo_t, DestroyContext> context_;
};

/// Words in lines of at most `width`; a word that is wider has a line to itself.
std::vector<std::string> wrap(Canvas& canvas, const std::string& text, const TextStyle& style, double width);

}  // namespace loom::app::plot
