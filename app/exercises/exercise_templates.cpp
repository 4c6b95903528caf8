#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/exercises/exercise.h"

namespace loom::app {
namespace {

constexpr std::string_view kBoundingBox = R"(// One thread per point of the square.
__host__ Launch launch(Fractal f) {
  return grid2d((f.width + 15) / 16, (f.height + 15) / 16, 16, 16);
}

__device__ Cell cell_of_thread(Fractal f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  return is_cell(x, y) ? cell(x, y) : none();
}
)";

constexpr std::string_view kRows = R"(// One thread per row can return one cell only: the first of its row.
__host__ Launch launch(Fractal f) {
  return grid1d((f.height + 31) / 32, 32);
}

__device__ Cell cell_of_thread(Fractal f) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  for (int x = 0; x < f.width; ++x) {
    if (is_cell(x, y)) return cell(x, y);
  }
  return none();
}
)";

constexpr std::string_view kLoop =
    R"(// λ: one thread per cell. The digits of its number in base k choose a replica at each level.
__host__ Launch launch(Fractal f) {
  return grid1d((f.cells + 127) / 128, 128);
}

__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.cells) return none();
  int x = 0;
  int y = 0;
  int side_x = 1;
  int side_y = 1;
  for (int level = 0; level < f.level; ++level) {
    int digit = i % f.k;
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    i /= f.k;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }
  return cell(x, y);
}
)";

constexpr std::string_view kTable =
    R"(// λ for the Sierpinski gasket, three levels at once: a table has the cells of level 3.
__constant__ int table_x[27] = {0, 0, 1, 0, 0, 1, 2, 2, 3, 0, 0, 1, 0, 0, 1, 2, 2, 3, 4, 4, 5, 4, 4, 5, 6, 6, 7};
__constant__ int table_y[27] = {0, 1, 1, 2, 3, 3, 2, 3, 3, 4, 5, 5, 6, 7, 7, 6, 7, 7, 4, 5, 5, 6, 7, 7, 6, 7, 7};

__host__ Launch launch(Fractal f) {
  return grid1d((f.cells + 127) / 128, 128);
}

__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.cells) return none();
  int x = 0;
  int y = 0;
  int level = 0;
  for (; level + 3 <= f.level; level += 3) {
    x += table_x[i % 27] << level;
    y += table_y[i % 27] << level;
    i /= 27;
  }
  for (; level < f.level; ++level) {
    x += table_x[i % 3] << level;
    y += table_y[i % 3] << level;
    i /= 3;
  }
  return cell(x, y);
}
)";

constexpr std::string_view kWrong =
    R"(// λ with two mistakes. The picture shows which cells are missed or reached more than once.
__host__ Launch launch(Fractal f) {
  return grid1d(f.cells / 128, 128);
}

__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0;
  int y = 0;
  int side = 1;
  for (int level = 0; level < f.level; ++level) {
    int digit = i % f.k;
    x += offset_x(digit) * side;
    y += offset_y(digit) * side;
    i /= f.s_x;
    side *= f.s_x;
  }
  return cell(x, y);
}
)";

}  // namespace

std::span<const MapTemplate> map_templates() {
  static constexpr std::array kTemplates = {
      MapTemplate{"Bounding box", kBoundingBox}, MapTemplate{"One thread per row", kRows},
      MapTemplate{"λ by loop", kLoop}, MapTemplate{"λ by table (gasket)", kTable},
      MapTemplate{"A map to repair", kWrong}};
  return kTemplates;
}

bool is_bundled_code(std::string_view code) {
  if (std::ranges::find(map_templates(), code, &MapTemplate::code) != map_templates().end()) return true;
  return std::ranges::any_of(bundled_exercises(), [&](const BundledExercise& one) {
    const Exercise exercise = find_exercise(std::string(one.name));
    return code == exercise.starter || code == exercise.solution;
  });
}

std::string built_in_map_code(MapKind map, int tile_level) {
  if (map == MapKind::kBoundingBox)
    return fmt::format(R"(__host__ Launch launch(Fractal f) {{
  int rho_x = power(f.s_x, {0});
  int rho_y = power(f.s_y, {0});
  return grid2d((f.width + rho_x - 1) / rho_x, (f.height + rho_y - 1) / rho_y, rho_x, rho_y);
}}
__device__ Cell cell_of_thread(Fractal f) {{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  return is_cell(x, y) ? cell(x, y) : none();
}}
)",
                       tile_level);
  // Small tiles share a thread block, as those of the built-in map do.
  return fmt::format(R"(__host__ Launch launch(Fractal f) {{
  int levels = f.level - {0};
  int area = power(f.s_x, {0}) * power(f.s_y, {0});
  int tiles = max(256 / area, 1);
  int tiles_x = power(f.k, (levels + 1) / 2);
  return grid2d((tiles_x + tiles - 1) / tiles, power(f.k, levels / 2), tiles * area, 1);
}}
__device__ int is_cell_of_tile(Fractal f, int x, int y) {{
  for (int level = 0; level < {0}; ++level) {{
    if (replica_at(x % f.s_x, y % f.s_y) < 0) return 0;
    x /= f.s_x;
    y /= f.s_y;
  }}
  return 1;
}}
__device__ Cell cell_of_thread(Fractal f) {{
  int rho_x = power(f.s_x, {0});
  int rho_y = power(f.s_y, {0});
  int area = rho_x * rho_y;
  int thread = threadIdx.x;
  int tile = thread / area;
  int digits_x = blockIdx.x * max(256 / area, 1) + tile;
  int digits_y = blockIdx.y;
  if (digits_x >= power(f.k, (f.level - {0} + 1) / 2)) return none();
  int x = 0;
  int y = 0;
  int side_x = rho_x;
  int side_y = rho_y;
  for (int mu = 1; mu <= f.level - {0}; ++mu) {{
    int digit;
    if (mu & 1) {{
      digit = digits_x % f.k;
      digits_x /= f.k;
    }} else {{
      digit = digits_y % f.k;
      digits_y /= f.k;
    }}
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }}
  int in_x = (thread - tile * area) % rho_x;
  int in_y = (thread - tile * area) / rho_x;
  return is_cell_of_tile(f, in_x, in_y) ? cell(x + in_x, y + in_y) : none();
}}
)",
                     tile_level);
}

std::span<const MapTextChoice> map_texts() {
  static constexpr std::array kTexts = {MapTextChoice{MapText::kBoundingBox, "Bounding box"},
                                        MapTextChoice{MapText::kLambdaLoop, "λ by loop"},
                                        MapTextChoice{MapText::kLambdaTable, "λ by table"},
                                        MapTextChoice{MapText::kCompact, "Compact: λ and ν"}};
  return kTexts;
}

namespace {

/// Launches a thread per place of the compact space, and λ of the digits in it.
constexpr std::string_view kCompactLaunch = R"(__host__ Launch launch(Fractal f) {
  int width = power(f.k, (f.level + 1) / 2);
  int height = power(f.k, f.level / 2);
  return grid2d((width + 15) / 16, (height + 15) / 16, 16, 16);
}
)";
constexpr std::string_view kLambda = R"(
// λ: odd levels are digits of x in base k, even levels digits of y.
__device__ Cell lambda(Fractal f, int digits_x, int digits_y) {
  int x = 0;
  int y = 0;
  int side_x = 1;
  int side_y = 1;
  for (int mu = 1; mu <= f.level; ++mu) {
    int digit;
    if (mu & 1) {
      digit = digits_x % f.k;
      digits_x /= f.k;
    } else {
      digit = digits_y % f.k;
      digits_y /= f.k;
    }
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }
  return cell(x, y);
}
)";
constexpr std::string_view kNu = R"(
// ν, the inverse of λ: the replica at each level is a digit.
__device__ Cell nu(Fractal f, int cell_x, int cell_y) {
  int place_x = 0;
  int place_y = 0;
  int side_x = 1;
  int side_y = 1;
  for (int mu = 1; mu <= f.level; ++mu) {
    int digit = replica_at(cell_x % f.s_x, cell_y % f.s_y);
    if (digit < 0) return none();
    if (mu & 1) {
      place_x += digit * side_x;
      side_x *= f.k;
    } else {
      place_y += digit * side_y;
      side_y *= f.k;
    }
    cell_x /= f.s_x;
    cell_y /= f.s_y;
  }
  return cell(place_x, place_y);
}
)";
constexpr std::string_view kPlace = R"(
__device__ Cell cell_of_thread(Fractal f) {
  int digits_x = blockIdx.x * blockDim.x + threadIdx.x;
  int digits_y = blockIdx.y * blockDim.y + threadIdx.y;
  if (digits_x >= power(f.k, (f.level + 1) / 2)) return none();
  if (digits_y >= power(f.k, f.level / 2)) return none();
)";

/// λ with `levels` levels of each axis at once.
std::string table_text(const NbbFractal& fractal) {
  const NbbShape& shape = fractal.shape();
  // Up to 32 entries: as many pairs of levels as fit, so that low levels use the table too.
  constexpr std::uint32_t kMost = 32;
  int levels = 1;
  std::uint32_t entries = shape.k;
  while (entries * shape.k <= kMost) {
    entries *= shape.k;
    ++levels;
  }
  std::string tables[2];
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    std::uint32_t rest = entry;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    // Levels of an axis alternate with those of the other one.
    std::uint32_t side_x = 1;
    std::uint32_t side_y = 1;
    for (int level = 0; level < levels; ++level, rest /= shape.k) {
      x += shape.offset_x[rest % shape.k] * side_x;
      y += shape.offset_y[rest % shape.k] * side_y;
      side_x *= shape.s_x * shape.s_x;
      side_y *= shape.s_y * shape.s_y;
    }
    const char* const separator = entry == 0 ? "" : entry % 16 == 0 ? ",\n    " : ", ";
    tables[0] += fmt::format("{}{}", separator, x);
    tables[1] += fmt::format("{}{}", separator, y);
  }
  return fmt::format(R"(// λ by table: {0} digits of x, then of y, at once. The tables are those of {1}.
__constant__ int table_x[{2}] = {{{3}}};
__constant__ int table_y[{2}] = {{{4}}};

{5}
__device__ Cell lambda(Fractal f, int digits_x, int digits_y) {{
  int x = 0;
  int y = 0;
  int side_x = 1;
  int side_y = 1;
  int mu = 0;
  for (; mu + {9} <= f.level; mu += {9}) {{
    x += (table_x[digits_x % {2}] + table_x[digits_y % {2}] * f.s_x) * side_x;
    y += (table_y[digits_x % {2}] + table_y[digits_y % {2}] * f.s_y) * side_y;
    digits_x /= {2};
    digits_y /= {2};
    side_x *= {6};
    side_y *= {7};
  }}
  for (; mu < f.level; ++mu) {{
    int digit;
    if (mu & 1) {{
      digit = digits_y % f.k;
      digits_y /= f.k;
    }} else {{
      digit = digits_x % f.k;
      digits_x /= f.k;
    }}
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }}
  return cell(x, y);
}}
{8}  return lambda(f, digits_x, digits_y);
}}
)",
                     levels, fractal.name(), entries, tables[0], tables[1], kCompactLaunch,
                     std::llround(std::pow(shape.s_x, 2 * levels)),
                     std::llround(std::pow(shape.s_y, 2 * levels)), kPlace, 2 * levels);
}

}  // namespace

std::string map_text(MapText which, const NbbFractal& fractal) {
  switch (which) {
    case MapText::kBoundingBox:
      return std::string(kBoundingBox);
    case MapText::kLambdaLoop:
      return fmt::format(
          "// λ by loop: one thread per cell.\n{}{}{}  return lambda(f, digits_x, digits_y);\n}}\n",
          kCompactLaunch, kLambda, kPlace);
    case MapText::kLambdaTable:
      return table_text(fractal);
    default:
      return fmt::format(
          "// Compact: a thread stores its cell at its own place. λ finds the cell, ν the place of a "
          "cell.\n{}{}{}{}  Cell c = lambda(f, digits_x, digits_y);\n  Cell place = nu(f, c.x, c.y);\n"
          "  if (place.x != digits_x || place.y != digits_y) return none();\n  return c;\n}}\n",
          kCompactLaunch, kLambda, kNu, kPlace);
  }
}

}  // namespace loom::app
