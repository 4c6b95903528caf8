#include "app/explain/diagram/fragments_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "app/explain/colour_by.h"

namespace loom::app::diagram {
namespace {

using explain::FragmentHolder;
using explain::FragmentMatrix;

constexpr float kDigits = 0.72f;  ///< font size of an element
constexpr float kRow = 1.05f;     ///< height of an element
constexpr float kGap = 1.5f;      ///< gap between matrices
constexpr int kSide = kFragmentSide;

Tint tint_of(std::uint32_t lane) {
  return {explain::data_colour({explain::ColourKey::Kind::kNumber, lane, 0})};
}

std::string number(float value) {
  return fmt::format("{:g}", value);
}

struct Matrix {
  std::string name;
  const FragmentMatrix& numbers;
  FragmentHolder (*holder)(int row, int column);
  std::function<std::string(int row, int column)> more;  ///< additional text for the hotspot of an element
};

std::array<float, kSide> column_widths(const FragmentMatrix& numbers) {
  std::array<float, kSide> widths{};
  for (int column = 0; column < kSide; ++column) {
    float widest = estimated_width("00");
    for (int row = 0; row < kSide; ++row) {
      widest = std::max(widest, estimated_width(number(numbers.at(row, column))));
    }
    widths[static_cast<std::size_t>(column)] = widest * kDigits + 0.35f;
  }
  return widths;
}

float width_of(const FragmentMatrix& numbers) {
  float sum = 0;
  for (const float width : column_widths(numbers)) sum += width;
  return sum;
}

void draw_matrix(Diagram& diagram, glm::vec2 at, const Matrix& matrix) {
  diagram.text({.at = at, .text = matrix.name, .face = FontFace::kBold});
  at.y += Diagram::kLine;
  const auto widths = column_widths(matrix.numbers);
  for (int row = 0; row < kSide; ++row) {
    float x = at.x;
    for (int column = 0; column < kSide; ++column) {
      const float width = widths[static_cast<std::size_t>(column)];
      const Box box{{x, at.y + static_cast<float>(row) * kRow}, {width, kRow}};
      const FragmentHolder holder = matrix.holder(row, column);
      const float value = matrix.numbers.at(row, column);
      const bool wrong = matrix.numbers.wrong_at(row, column);
      diagram.fill({box.corner + 0.03f, box.size - 0.06f}, tint_of(holder.lane));
      diagram.text({.at = box.corner + glm::vec2{width / 2, 0.05f},
                    .text = number(value),
                    .paint = wrong        ? ColourRole::kWarning
                             : value == 0 ? ColourRole::kMuted
                                          : ColourRole::kText,
                    .align = Align::kCentre,
                    .size = kDigits,
                    .face = wrong ? FontFace::kBold : FontFace::kPlain});
      std::string tip = fmt::format("{}[{}][{}] = {}: in lane {}, element {}", matrix.name[0], row, column,
                                    number(value), holder.lane, holder.element);
      if (wrong) tip += "; wrong: FP16 cannot represent the exact number";
      if (std::string more = matrix.more(row, column); !more.empty()) tip += "; " + more;
      diagram.hotspot({box, std::move(tip), -1});
      x += width;
    }
  }
  diagram.frame({at, {width_of(matrix.numbers), kRow * kSide}}, ColourRole::kLine);
  Table table{.name = matrix.name};
  for (int column = 0; column < kSide; ++column) table.titles.push_back(std::to_string(column));
  for (int row = 0; row < kSide; ++row) {
    std::vector<std::string>& texts = table.rows.emplace_back();
    for (int column = 0; column < kSide; ++column) texts.push_back(number(matrix.numbers.at(row, column)));
  }
  diagram.add_table(std::move(table));
}

std::uint32_t writer_of_b(FragmentTarget of, int row, int column) {
  switch (of) {
    case FragmentTarget::kLambda:
      return explain::writer_of_lambda_b(row, column);
    case FragmentTarget::kNeighbours:
      return explain::writer_of_nu_b(row, column);
    case FragmentTarget::kCells:
      break;
  }
  return explain::writer_of_cell_b(row, column);
}

}  // namespace

float draw_fragments(Diagram& diagram, glm::vec2 at, float width, const explain::Fragments& fragments,
                     FragmentTarget of) {
  if (fragments.products.empty()) {
    return draw_wrapped(diagram, at, 40, "The tile is the whole fractal: no level to multiply.");
  }
  const auto named_row = [&](int row, int) { return fragments.rows[static_cast<std::size_t>(row)]; };
  const auto named_column = [&](int, int column) {
    return fragments.columns[static_cast<std::size_t>(column)];
  };
  const float height = Diagram::kLine + kRow * kSide;
  for (const explain::FragmentProduct& product : fragments.products) {
    std::string levels = fmt::format("A: weights of the levels from {}", product.first_level);
    if (fragments.planes > 1) levels += fmt::format(", digits {}", product.plane);
    diagram.text({.at = at, .text = levels + ". Coloured by lane.", .paint = ColourRole::kMuted});
    at.y += Diagram::kLine;
    const std::array<Matrix, 4> matrices = {
        {{"A", product.a, explain::holder_in_a, named_row},
         {"B: offsets of the digits", product.b, explain::holder_in_b,
          [&](int row, int column) {
            const std::string whose = named_column(row, column);
            if (whose.empty()) return std::string();
            return fmt::format("of {}; written by lane {}", whose, writer_of_b(of, row, column));
          }},
         {"C", product.c, explain::holder_in_d, named_column},
         {"D = A · B + C", product.d, explain::holder_in_d, named_column}}};
    float widest = 0;
    for (const Matrix& matrix : matrices) widest = std::max(widest, width_of(matrix.numbers));
    const bool in_a_row = 4 * (widest + kGap) <= width;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const std::size_t column = in_a_row ? i : i % 2;
      draw_matrix(diagram, {at.x + static_cast<float>(column) * (widest + kGap), at.y}, matrices[i]);
      if (i == 3 || (!in_a_row && i == 1)) at.y += height + 0.6f;
    }
  }
  Table table{.titles = {"result", "column of D", "rows", "lane", "value"}, .rows = {}};
  std::vector<bool> wrong;
  for (const explain::FragmentResult& result : fragments.results) {
    const int last = result.first_row + result.rows - 1;
    std::string value = !result.used      ? "outside, dropped"
                        : !result.present ? "a hole"
                                          : std::to_string(result.value);
    if (result.wrong) value += " (wrong)";
    table.rows.push_back({result.name, std::to_string(result.column),
                          result.rows == 1 ? std::to_string(result.first_row)
                                           : fmt::format("{} to {}", result.first_row, last),
                          result.reader ? std::to_string(*result.reader) : "–", std::move(value)});
  }
  constexpr std::size_t kMaxResults = 32;  // tensor-3 has one result per element
  if (table.rows.size() > kMaxResults) table.rows.resize(kMaxResults);
  return draw_table(diagram, {at.x + 0.3f, at.y}, table);
}

}  // namespace loom::app::diagram
