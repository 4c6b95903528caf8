#include "app/plot/diagram_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plot/canvas.h"

namespace loom::app::plot {
namespace {

constexpr double kBorder = 1;    ///< in font sizes
constexpr double kBaseline = 1;  ///< distance of the baseline from the top of a text, in its font size

Colour of_data(const explain::DataColour& data) {
  return {data.red / 255.0, data.green / 255.0, data.blue / 255.0};
}

Colour colour_of(const diagram::Paint& paint) {
  if (const auto* const data = std::get_if<explain::DataColour>(&paint)) return of_data(*data);
  if (const auto* const tint = std::get_if<diagram::Tint>(&paint)) {
    const Colour full = of_data(tint->of);
    const auto light = [](double part) { return 1 - (1 - part) * 0.4; };
    return {light(full.red), light(full.green), light(full.blue)};
  }
  switch (std::get<diagram::ColourRole>(paint)) {
    case diagram::ColourRole::kText:
      return {0.13, 0.13, 0.13};
    case diagram::ColourRole::kMuted:
      return {0.40, 0.40, 0.40};
    case diagram::ColourRole::kAccent:
      return {0.05, 0.36, 0.42};
    case diagram::ColourRole::kWarning:
      return {0.80, 0.20, 0.00};
    case diagram::ColourRole::kLine:
      return {0.45, 0.45, 0.45};
    case diagram::ColourRole::kRaised:
      return {0.94, 0.94, 0.95};
    case diagram::ColourRole::kMark:
      return {0.00, 0.00, 0.00};
  }
  return {};
}

/// Draws the outline of a rectangle.
void frame(Canvas& canvas, double x, double y, double width, double height, const Colour& colour,
           double thickness) {
  canvas.straight_line(x, y, x + width, y, colour, thickness);
  canvas.straight_line(x, y + height, x + width, y + height, colour, thickness);
  canvas.straight_line(x, y, x, y + height, colour, thickness);
  canvas.straight_line(x + width, y, x + width, y + height, colour, thickness);
}

struct CanvasPainter {
  Canvas& canvas;
  double em;

  double at(double length) const { return (length + kBorder) * em; }
  void operator()(const diagram::Fill& fill) const {
    canvas.rectangle(at(fill.box.x), at(fill.box.y), {fill.box.width * em, fill.box.height * em},
                     colour_of(fill.paint));
  }
  void operator()(const diagram::Frame& shape) const {
    frame(canvas, at(shape.box.x), at(shape.box.y), shape.box.width * em, shape.box.height * em,
          colour_of(shape.paint), std::max(0.4, shape.thickness * em));
  }
  void operator()(const diagram::Text& text) const {
    const Align align = text.align == diagram::Align::kLeft     ? Align::kLeft
                        : text.align == diagram::Align::kCentre ? Align::kCentre
                                                                : Align::kRight;
    canvas.text(at(text.x), at(text.y + kBaseline * text.size), text.text,
                {.size = text.size * em,
                 .weight = text.face == diagram::Text::Face::kBold ? Weight::kBold : Weight::kNormal,
                 .mono = text.face == diagram::Text::Face::kMono,
                 .colour = colour_of(text.paint)},
                align);
  }
};

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

std::string hex(const Colour& colour) {
  const auto byte = [](double part) { return static_cast<int>(part * 255 + 0.5); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green), byte(colour.blue));
}

/// Writes text as SVG text elements, which can be searched, copied and edited. Cairo would write outlines.
struct SvgPainter {
  std::string& out;
  double em;

  double at(double length) const { return (length + kBorder) * em; }
  void operator()(const diagram::Fill& fill) const {
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       at(fill.box.x), at(fill.box.y), fill.box.width * em, fill.box.height * em,
                       hex(colour_of(fill.paint)));
  }
  void operator()(const diagram::Frame& shape) const {
    out += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"{:.2f}\"/>\n",
        at(shape.box.x), at(shape.box.y), shape.box.width * em, shape.box.height * em,
        hex(colour_of(shape.paint)), std::max(0.4, shape.thickness * em));
  }
  void operator()(const diagram::Text& text) const {
    const char* const anchor = text.align == diagram::Align::kLeft     ? "start"
                               : text.align == diagram::Align::kCentre ? "middle"
                                                                       : "end";
    out += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
        at(text.x), at(text.y + kBaseline * text.size), text.size * em, anchor, hex(colour_of(text.paint)),
        text.face == diagram::Text::Face::kBold ? " font-weight=\"bold\""
        : text.face == diagram::Text::Face::kMono
            ? " font-family=\"DejaVu Sans Mono, monospace\" xml:space=\"preserve\""
            : "",
        escaped_xml(text.text));
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
  const double em = text_size;
  const Size size{(diagram.width() + 2 * kBorder) * em, (diagram.height() + 2 * kBorder) * em};
  if (format == FigureFormat::kSvg) {
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "width=\"{0:.2f}pt\" height=\"{1:.2f}pt\" viewBox=\"0 0 {0:.2f} {1:.2f}\" "
        "font-family=\"DejaVu Sans, sans-serif\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n",
        size.width, size.height, escaped_xml(title));
    const SvgPainter painter{out, em};
    for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
    return out + "</svg>\n";
  }
  Canvas canvas(format, size, title);
  const CanvasPainter painter{canvas, em};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  return canvas.finish();
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
