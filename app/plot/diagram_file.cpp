#include "app/plot/diagram_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/plot/cairo_painter.h"
#include "app/plot/figure_diagram.h"
#include "app/plot/landscape_diagram.h"
#include "app/plot/paper.h"

namespace loom::app::plot {
namespace {

constexpr double kFigureText = 10.5;  ///< points

std::string escaped_xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::string hex(const diagram::Paint& paint) {
  const glm::u8vec3 colour = paper_colour(paint);
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

/// Writes text as SVG text elements, which can be searched, copied and edited. Cairo would write outlines.
struct SvgPainter {
  std::string& out;
  double em;

  glm::dvec2 at(glm::vec2 place) const { return (glm::dvec2(place) + kPageBorder) * em; }
  double scaled(float length) const { return static_cast<double>(length) * em; }
  void rectangle(const diagram::Box& box) const {
    const glm::dvec2 corner = at(box.corner);
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"", corner.x,
                       corner.y, scaled(box.size.x), scaled(box.size.y));
  }
  void points(const char* element, const std::vector<glm::vec2>& points) const {
    out += fmt::format("<{} points=\"", element);
    for (const glm::vec2& point : points) {
      const glm::dvec2 place = at(point);
      out += fmt::format("{:.2f},{:.2f} ", place.x, place.y);
    }
    out.back() = '"';
  }
  void stroke(const diagram::Paint& paint, float thickness) const {
    out += fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\"", hex(paint),
                       std::max(kMinLineWidth, scaled(thickness)));
  }
  void operator()(const diagram::Fill& fill) const {
    rectangle(fill.box);
    out += fmt::format(" fill=\"{}\"/>\n", hex(fill.paint));
  }
  void operator()(const diagram::Frame& frame) const {
    rectangle(frame.box);
    stroke(frame.paint, frame.thickness);
    out += "/>\n";
  }
  void operator()(const diagram::Text& text) const {
    const char* const anchor = text.align == diagram::Align::kLeft     ? "start"
                               : text.align == diagram::Align::kCentre ? "middle"
                                                                       : "end";
    const double size = scaled(text.size);
    const glm::dvec2 place = at(text.at);
    out += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
        place.x, place.y + kBaseline * size, size, anchor, hex(text.paint),
        text.face == diagram::Text::Face::kBold ? " font-weight=\"bold\""
        : text.face == diagram::Text::Face::kMono
            ? " font-family=\"DejaVu Sans Mono, monospace\" xml:space=\"preserve\""
            : "",
        escaped_xml(text.text));
  }
  void operator()(const diagram::Polyline& line) const {
    points("polyline", line.points);
    stroke(line.paint, line.thickness);
    if (!line.dash.empty()) {
      out += " stroke-dasharray=\"";
      for (const float length : line.dash) out += fmt::format("{:.2f} ", scaled(length));
      out.back() = '"';
    }
    out += " stroke-linejoin=\"round\"/>\n";
  }
  void operator()(const diagram::Polygon& polygon) const {
    points("polygon", polygon.points);
    out += fmt::format(" fill=\"{}\"/>\n", hex(polygon.paint));
  }
};

std::string escaped_csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// Escapes a text for LaTeX, including the Greek letters and symbols of the tables.
std::string escaped_latex(const std::string& text) {
  static const std::array<std::pair<std::string_view, std::string_view>, 16> kWords = {{{"λ", "$\\lambda$"},
                                                                                        {"ν", "$\\nu$"},
                                                                                        {"ω", "$\\omega$"},
                                                                                        {"τ", "$\\tau$"},
                                                                                        {"β", "$\\beta$"},
                                                                                        {"ρ", "$\\rho$"},
                                                                                        {"·", "$\\cdot$"},
                                                                                        {"×", "$\\times$"},
                                                                                        {"–", "--"},
                                                                                        {"→", "$\\to$"},
                                                                                        {"_", "\\_"},
                                                                                        {"%", "\\%"},
                                                                                        {"&", "\\&"},
                                                                                        {"#", "\\#"},
                                                                                        {"⌊", "$\\lfloor$"},
                                                                                        {"⌋", "$\\rfloor$"}}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto word = std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) {
      return std::string_view(text).substr(i).starts_with(one.first);
    });
    out += word != kWords.end() ? std::string(word->second) : std::string(1, text[i]);
    i += word != kWords.end() ? word->first.size() : 1;
  }
  return out;
}

template <typename Escape>
std::string joined(const std::vector<std::string>& texts, const char* between, const Escape& escape) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : between) + escape(text);
  return out;
}

}  // namespace

std::string draw_diagram(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                         const std::string& title) {
  if (format != FigureFormat::kSvg) return paint_with_cairo(diagram, format, text_size, title);
  const glm::dvec2 size = (glm::dvec2(diagram.size()) + 2 * kPageBorder) * text_size;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{0:.2f}pt\" height=\"{1:.2f}pt\" viewBox=\"0 0 {0:.2f} {1:.2f}\" "
      "font-family=\"DejaVu Sans, sans-serif\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      size.x, size.y, escaped_xml(title));
  const SvgPainter painter{out, text_size};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  return out + "</svg>\n";
}

std::string draw_figure(const Figure& figure, FigureFormat format) {
  return draw_diagram(figure_diagram(figure, paper_text_width()), format, kFigureText, figure.title);
}

std::string draw_figure(const LandscapeFigure& landscape, FigureFormat format) {
  return draw_diagram(landscape_diagram(landscape, paper_text_width()), format, kFigureText, landscape.title);
}

std::string tables_as_csv(const diagram::Diagram& diagram) {
  std::string out;
  for (const diagram::Table& table : diagram.tables()) {
    out += escaped_csv(table.name) + "\r\n";
    out += joined(table.titles, ",", escaped_csv) + "\r\n";
    for (const auto& row : table.rows) out += joined(row, ",", escaped_csv) + "\r\n";
    out += "\r\n";
  }
  return out;
}

std::string tables_as_latex(const diagram::Diagram& diagram) {
  std::string out;
  for (const diagram::Table& table : diagram.tables()) {
    out += fmt::format("% {}\n\\begin{{tabular}}{{{}}}\n\\hline\n", table.name,
                       std::string(table.titles.size(), 'l'));
    out += joined(table.titles, " & ", escaped_latex) + " \\\\\n\\hline\n";
    for (const auto& row : table.rows) out += joined(row, " & ", escaped_latex) + " \\\\\n";
    out += "\\hline\n\\end{tabular}\n\n";
  }
  return out;
}

}  // namespace loom::app::plot
