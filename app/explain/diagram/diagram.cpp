#include "app/explain/diagram/diagram.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

namespace loom::app::diagram {
namespace {

constexpr float kColumnGap = 1.2f;

bool begins_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace

float estimated_width(std::string_view text, FontFace face) {
  if (face == FontFace::kMono)
    return kMonoWidth * static_cast<float>(std::count_if(text.begin(), text.end(), begins_letter));
  float width = 0;
  for (const char c : text) {
    if (!begins_letter(c)) continue;
    const bool narrow = c == ' ' || c == ',' || c == '.' || c == '(' || c == ')' || c == 'i' || c == 'l';
    width += narrow ? 0.4f : 0.64f;
  }
  return width;
}

void Diagram::fill(const Box& box, const Paint& paint) {
  shapes_.emplace_back(Fill{box, paint});
  reach(box.end());
}

void Diagram::frame(const Box& box, const Paint& paint, float thickness) {
  shapes_.emplace_back(Frame{box, paint, thickness});
  reach(box.end());
}

void Diagram::text(Text text) {
  const float width = text_width(text.text, text.face) * text.size;
  const float right = text.align == Align::kLeft    ? text.at.x + width
                      : text.align == Align::kRight ? text.at.x
                                                    : text.at.x + width / 2;
  reach({right, text.at.y + kLine * text.size});
  shapes_.emplace_back(std::move(text));
}

void Diagram::line(Polyline line) {
  for (const glm::vec2& point : line.points) reach(point);
  shapes_.emplace_back(std::move(line));
}

void Diagram::polygon(Polygon polygon) {
  for (const glm::vec2& point : polygon.points) reach(point);
  shapes_.emplace_back(std::move(polygon));
}

const Hotspot* Diagram::hotspot_at(glm::vec2 point) const {
  const Hotspot* nearest = nullptr;
  float least = std::numeric_limits<float>::max();
  for (const Hotspot& hotspot : hotspots_) {
    if (!hotspot.box.contains(point)) continue;
    const float distance = glm::distance(point, hotspot.box.centre());
    if (distance >= least) continue;
    least = distance;
    nearest = &hotspot;
  }
  return nearest;
}

void Legend::entry(std::span<const Paint> colours, const std::string& text) {
  constexpr float kSquare = 0.8f;
  const float squares = kSquare * static_cast<float>(colours.size()) + 0.3f;
  const float width = squares + estimated_width(text);
  if (at_.x > 0 && at_.x + width > width_) at_ = {0, below()};
  for (std::size_t i = 0; i < colours.size(); ++i)
    diagram_.fill({{at_.x + kSquare * static_cast<float>(i), at_.y + 0.25f}, {kSquare, kSquare}}, colours[i]);
  diagram_.text({.at = {at_.x + squares, at_.y}, .text = text});
  at_.x += width + 1.2f;
}

float draw_table(Diagram& diagram, glm::vec2 at, const Table& table) {
  std::vector<float> widths;
  for (std::size_t column = 0; column < table.titles.size(); ++column) {
    float width = estimated_width(table.titles[column]);
    for (const auto& row : table.rows) width = std::max(width, estimated_width(row[column]));
    widths.push_back(width + kColumnGap);
  }
  float whole = 0;
  for (const float width : widths) whole += width;
  const auto line = [&](const std::vector<std::string>& texts, const Paint& paint) {
    float x = at.x;
    for (std::size_t column = 0; column < texts.size(); ++column) {
      diagram.text({.at = {x, at.y}, .text = texts[column], .paint = paint});
      x += widths[column];
    }
    at.y += Diagram::kLine;
  };
  line(table.titles, ColourRole::kMuted);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Box box{at - glm::vec2{0.3f, 0.05f}, {whole, Diagram::kLine}};
    if (static_cast<int>(i) == table.marked) {
      diagram.fill(box, ColourRole::kRaised);
      diagram.frame(box, ColourRole::kMark);
    } else if (i % 2 == 0) {
      diagram.fill(box, ColourRole::kRaised);
    }
    if (i < table.tips.size()) diagram.hotspot({box, table.tips[i], table.first_tag + static_cast<int>(i)});
    line(table.rows[i], ColourRole::kText);
  }
  diagram.add_table(table);
  return at.y + 0.3f;
}

float draw_wrapped(Diagram& diagram, glm::vec2 at, float width, const std::string& text, const Paint& paint,
                   float size) {
  std::string line;
  const auto put = [&] {
    if (line.empty()) return;
    diagram.text({.at = at, .text = line, .paint = paint, .size = size});
    at.y += Diagram::kLine * size;
    line.clear();
  };
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && diagram.text_width(line + " " + word) * size > width) put();
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  put();
  return at.y;
}

}  // namespace loom::app::diagram
