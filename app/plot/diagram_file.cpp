#include "app/plot/diagram_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/bench/merge.h"
#include "app/bench/plan.h"
#include "app/files/output_file.h"

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

std::string tables_as_csv(const diagram::Diagram& diagram) {
  std::string out;
  for (const diagram::Table& table : diagram.tables()) {
    out += csv_cell(table.name) + "\r\n";
    out += joined(table.titles, ",", csv_cell) + "\r\n";
    for (const auto& row : table.rows) out += joined(row, ",", csv_cell) + "\r\n";
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

glm::u8vec3 paper_colour(const diagram::Paint& paint) {
  if (const auto* const data = std::get_if<glm::u8vec3>(&paint)) return *data;
  if (const auto* const pair = std::get_if<diagram::ColourPair>(&paint)) return pair->on_white;
  if (const auto* const tint = std::get_if<diagram::Tint>(&paint)) {
    return glm::u8vec3(255 - (255 - glm::ivec3(tint->of)) * 2 / 5);
  }
  using Role = diagram::ColourRole;
  constexpr std::array<std::pair<Role, glm::u8vec3>, 10> kColours = {{{Role::kText, {33, 33, 33}},
                                                                      {Role::kMuted, {102, 102, 102}},
                                                                      {Role::kAccent, {13, 92, 107}},
                                                                      {Role::kWarning, {204, 51, 0}},
                                                                      {Role::kLine, {115, 115, 115}},
                                                                      {Role::kGrid, {214, 214, 214}},
                                                                      {Role::kMinorGrid, {237, 237, 237}},
                                                                      {Role::kRaised, {240, 240, 242}},
                                                                      {Role::kMark, {0, 0, 0}},
                                                                      {Role::kSelection, {95, 40, 190}}}};
  return std::ranges::find(kColours, std::get<Role>(paint), &std::pair<Role, glm::u8vec3>::first)->second;
}

namespace {

std::string setting(const bench::Results& results, const char* key) {
  const bool is_there = results.settings.is_object() && results.settings.contains(key);
  if (!is_there) return "";
  const auto& value = results.settings[key];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string cpu_text(const bench::Machine& machine) {
  const std::string name = machine.cpu.empty() ? "unnamed CPU" : machine.cpu;
  return fmt::format("{}, {} threads", name, machine.threads);
}

std::string gpu_text(const bench::Machine& machine, int device) {
  for (const bench::Gpu& gpu : machine.gpus) {
    if (gpu.device == device) {
      return fmt::format("{}, {} multiprocessors, CUDA {} (driver {})", gpu.name, gpu.multiprocessors,
                         machine.cuda_runtime, machine.cuda_driver);
    }
  }
  return "unnamed GPU";
}

/// The noise of the medians.
std::string noise_text(const Rows& rows, std::string_view round) {
  double noise = 0;
  std::size_t limited = 0;
  std::size_t single = 0;
  for (const bench::Row* row : rows) {
    noise = std::max(noise, row->number("noise"));
    if ((*row)["limited"] == true) ++limited;
    if ((*row)["noise"].is_null()) ++single;
  }
  std::string text = fmt::format(
      " Medians {}; {} of {} configurations reached a limit, standard error of the mean up to "
      "{:.2g}\u00a0%",
      round, limited, rows.size(), 100 * noise);
  if (single > 0) text += fmt::format(" and unknown for {} single samples", single);
  return text + ".";
}

std::string device_text(const bench::Results& results, const bench::Row& row) {
  const bool on_gpu = row["backend"] == "cuda";
  return fmt::format(
      "{} backend: {}.", row.text("backend"),
      on_gpu ? gpu_text(results.machine, static_cast<int>(row.count("device"))) : cpu_text(results.machine));
}

/// The shards of a divided sweep that the results contain.
std::string gaps_or_all(const bench::Results& results) {
  const std::string gaps = gaps_text(results);
  return gaps.empty() ? fmt::format("all {}", results.shards->of) : gaps;
}

/// Program, commit, date, clock, and whether the sweep is complete.
std::string origin_text(const bench::Results& results) {
  std::string text =
      fmt::format(" {}, commit {}, {}.", results.program, results.commit, results.date.substr(0, 10));
  if (results.shards) text += fmt::format(" Measured in shards: {}.", gaps_or_all(results));
  if (setting(results, "clock") == bench::kWallClock) text += " Wall-clock times, from the call to its end.";
  if (!setting(results, "ranks").empty()) text += " Each device belongs to one process (mpirun).";
  if (results.interrupted) text += " The sweep was interrupted.";
  return text;
}

}  // namespace

std::string caption_of(const bench::Results& results, const Rows& rows) {
  const bench::Row& first = *rows.front();
  const bool of_maps = results.kind == bench::SweepKind::kMaps;
  std::string text;
  if (of_maps) {
    text = first.text("workload");
    if (text == "life")
      text += fmt::format(" ({}, density {})", setting(results, "rule"), setting(results, "density"));
    text += ", ";
  } else {
    constexpr int kDigits = 12;
    text = first["center_re"].is_null()
               ? fmt::format("Window [{}, {}] × [{}, {}]", first.text("re_min"), first.text("re_max"),
                             first.text("im_min"), first.text("im_max"))
               : fmt::format("Centre {}, {}", shortened_decimal(Decimal(first.text("center_re")), kDigits),
                             shortened_decimal(Decimal(first.text("center_im")), kDigits));
    text += fmt::format(", dwell limit {}, ", first.text("dwell_limit"));
    const auto is_other = [&](const bench::Row* row) { return (*row)["precision"] != first["precision"]; };
    if (std::ranges::none_of(rows, is_other)) text += first.text("precision") + ", ";
  }
  return text + device_text(results, first) + noise_text(rows, of_maps ? "per generation" : "per image") +
         origin_text(results);
}

}  // namespace loom::app::plot
