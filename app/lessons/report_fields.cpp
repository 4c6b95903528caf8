#include "app/lessons/report_fields.h"

#include <algorithm>
#include <cctype>

namespace loom::app::lessons {
namespace {

using Kind = ReportField::Kind;

struct Row {
  const char* name;
  Kind kind;
  const char* meaning;
};

// Fields of the scene; of a secondary pane with the prefix pane#.
constexpr Row kOfLaunch[] = {
    {"map", Kind::kText, "bounding-box, lambda or compact"},
    {"arithmetic", Kind::kText, "map arithmetic: how λ and ν are computed"},
    {"intra_block", Kind::kText, "intra-block mapping: how a tile's threads find their cells"},
    {"block", Kind::kNumber, "ρ_x, the width of a tile in points"},
    {"tiles", Kind::kNumber, "tiles per thread block"},
    {"block_height", Kind::kNumber, "ρ_y, the height of a tile in points"},
    {"block_level", Kind::kNumber, "j, the level of the fractal in a tile"},
    {"block_points", Kind::kNumber, "points of a tile, ρ_x times ρ_y"},
    {"block_cells", Kind::kNumber, "cells of a tile, k^j"},
    {"map_level", Kind::kNumber, "r − j, the number of levels of the map"},
    {"grid_width", Kind::kNumber, "width in tiles of the grid that the map launches"},
    {"grid_height", Kind::kNumber, "its height in tiles"},
    {"thread_blocks", Kind::kNumber, "thread blocks of this grid on a GPU"},
    {"threads_of_thread_block", Kind::kNumber, "threads per thread block"},
    {"most_tiles", Kind::kNumber, "the largest allowed number of tiles per thread block"},
    {"blocks_launched", Kind::kNumber, "tiles that were launched (counted)"},
    {"blocks_occupied", Kind::kNumber, "of these, tiles with cells (counted)"},
    {"blocks_empty", Kind::kNumber, "of these, empty tiles"},
    {"threads_launched", Kind::kNumber, "threads launched in one generation (counted)"},
    {"threads_active", Kind::kNumber, "of these, active threads, which had a cell (counted)"},
    {"threads_idle", Kind::kNumber, "of these, idle threads"},
    {"threads_misplaced", Kind::kNumber,
     "of these, threads that tensor-fp16 sent to a wrong position (counted)"},
    {"bytes_held", Kind::kNumber, "memory allocated for cells, both generations"},
    {"bytes_of_generation", Kind::kNumber, "memory for one generation"},
    {"step_ms", Kind::kNumber, "milliseconds per generation: the median of the live timing"},
};

// Fields of the thread in the side panel, for the scene (thread.) and for a pane (pane#.thread.).
constexpr Row kOfThread[] = {
    {"block_x", Kind::kNumber, "ω_x of its tile"},
    {"block_y", Kind::kNumber, "ω_y of its tile"},
    {"number", Kind::kNumber, "its thread index in the tile"},
    {"thread_block_x", Kind::kNumber, "blockIdx.x"},
    {"thread_block_y", Kind::kNumber, "blockIdx.y"},
    {"tile", Kind::kNumber, "the index of its tile in the thread block"},
    {"warp", Kind::kNumber, "the index of its warp in the thread block"},
    {"lane", Kind::kNumber, "its lane in the warp"},
    {"lanes_working", Kind::kNumber, "active lanes of its warp"},
    {"place_x", Kind::kNumber, "tile position: the column of its tile in the square, in tiles"},
    {"place_y", Kind::kNumber, "the row of its tile, in tiles"},
    {"block_works", Kind::kBoolean, "its tile has cells"},
    {"at_x", Kind::kNumber, "its x in the tile"},
    {"at_y", Kind::kNumber, "its y in the tile"},
    {"cell_x", Kind::kNumber, "x of its point in the square"},
    {"cell_y", Kind::kNumber, "y of its point in the square"},
    {"works", Kind::kBoolean, "the point is a cell"},
    {"address", Kind::kNumber, "byte offset of the cell"},
    {"line", Kind::kNumber, "its cache line (128 bytes)"},
    {"sector", Kind::kNumber, "its sector (32 bytes)"},
    {"level#.digit", Kind::kNumber, "λ: the digit of ω at level # (1 is the finest)"},
    {"level#.from_x", Kind::kBoolean, "λ: the digit is one of ω_x, otherwise of ω_y"},
    {"level#.offset_x", Kind::kNumber, "λ: τ_x, the offset of the replica that the digit selects"},
    {"level#.offset_y", Kind::kNumber, "λ: τ_y"},
    {"level#.width", Kind::kNumber, "λ: the width of a replica of that level, in tiles"},
    {"level#.sum_x", Kind::kNumber, "λ: x of the sum up to this level"},
    {"level#.sum_y", Kind::kNumber, "λ: y of it"},
    {"reads.requests", Kind::kNumber, "memory requests with which its warp reads cells"},
    {"reads.sectors", Kind::kNumber, "sectors of 32 bytes that they transfer"},
    {"reads.used", Kind::kNumber, "bytes of these sectors that are used"},
    {"reads.moved", Kind::kNumber, "bytes transferred: 32 times the sectors"},
    {"writes.requests", Kind::kNumber, "the same for the cells that its warp writes"},
    {"writes.sectors", Kind::kNumber, ""},
    {"writes.used", Kind::kNumber, ""},
    {"writes.moved", Kind::kNumber, ""},
};

constexpr Row kOfLife[] = {
    {"workspace", Kind::kText, "life or mandelbrot"},
    {"fractal", Kind::kText, "its name"},
    {"replicas", Kind::kNumber, "k"},
    {"scale_x", Kind::kNumber, "s_x"},
    {"scale_y", Kind::kNumber, "s_y"},
    {"level", Kind::kNumber, "r"},
    {"width", Kind::kNumber, "width of the square in points, s_x^r"},
    {"height", Kind::kNumber, "height of the square in points, s_y^r"},
    {"points", Kind::kNumber, "points of the square"},
    {"cells", Kind::kNumber, "cells of the fractal, k^r"},
    {"workload", Kind::kText, "life, single-write or reduction"},
    {"rule", Kind::kText, "B…/S…"},
    {"seed", Kind::kNumber, "seed of the random start"},
    {"density", Kind::kNumber, "density of the random start"},
    {"generation", Kind::kNumber, "generations since the start"},
    {"population", Kind::kNumber, "living cells"},
    {"playing", Kind::kBoolean, "the simulation is playing"},
    {"backend", Kind::kText, "cpu or cuda"},
    {"wrong", Kind::kText, "why the picture is wrong; empty if it is right"},
};

constexpr Row kOfPane[] = {
    {"equal", Kind::kBoolean, "its cells are identical to those of the scene"},
    {"cells_that_differ", Kind::kNumber, "cells that differ from those of the scene"},
    {"generation", Kind::kNumber, "generations since the start"},
    {"backend", Kind::kText, "cpu or cuda"},
};

constexpr Row kOfMandelbrot[] = {
    {"method", Kind::kText, "exhaustive, dp or ask"},
    {"scheme", Kind::kText, "sbr or mbr"},
    {"g", Kind::kNumber, "regions of level 0 on each axis"},
    {"r", Kind::kNumber, "regions into which a region splits, on each axis"},
    {"b", Kind::kNumber, "B: a region splits while its side over r is above it"},
    {"dwell_limit", Kind::kNumber, "largest number of iterations of an orbit"},
    {"precision", Kind::kText, "float or double"},
    {"ms", Kind::kNumber, "milliseconds per computation at full resolution: the median of the runs"},
    {"exhaustive_ms", Kind::kNumber,
     "milliseconds of the exhaustive method in the same view, once it was benchmarked"},
    {"pixels", Kind::kNumber, "pixels of the picture"},
    {"computed_pixels", Kind::kNumber, "pixels whose orbits were started (counted)"},
    {"filled_pixels", Kind::kNumber, "pixels written without an orbit"},
    {"work_reduction", Kind::kNumber, "pixels over pixels computed"},
    {"bytes_held", Kind::kNumber, "memory allocated for dwells and tables of regions"},
    {"levels", Kind::kNumber, "levels of regions"},
    {"regions_looked_at", Kind::kNumber, "regions on all levels (counted)"},
    {"regions_filled", Kind::kNumber, "of these, filled with one dwell"},
    {"regions_leaves", Kind::kNumber, "of these, computed pixel by pixel"},
    {"regions_split", Kind::kNumber, "of these, split"},
    {"level#.regions", Kind::kNumber, "regions of one level (0 is the first)"},
    {"level#.filled", Kind::kNumber, "of these, filled"},
    {"level#.leaves", Kind::kNumber, "of these, leaves"},
    {"level#.splits", Kind::kNumber, "of these, split"},
    {"level#.children", Kind::kNumber, "regions that these splits produced"},
    {"level#.split_share", Kind::kNumber, "P of the level: splits over regions"},
    {"level#.width", Kind::kNumber, "width of its widest region, in pixels"},
    {"inside", Kind::kNumber, "pixels at the dwell limit (counted)"},
    {"steps", Kind::kNumber,
     "iterations of all orbits: the sum of the dwells, without the pixels that a formula identifies as "
     "inside"},
    {"warps", Kind::kNumber, "warps of the exhaustive launch for this picture"},
    {"lane_steps", Kind::kNumber,
     "lane iterations of these warps, active and idle: 32 times the longest orbit of each warp"},
    {"waiting", Kind::kNumber, "of these, the idle fraction, from 0 to 1"},
    {"model.n", Kind::kNumber, "side of a square with the same number of pixels"},
    {"model.p", Kind::kNumber, "P, the fraction of regions that split (counted)"},
    {"model.lambda", Kind::kNumber, "λ, the cost of a split"},
    {"model.predicted", Kind::kNumber, "the predicted ratio for the current g, r and B"},
    {"model.best_g", Kind::kNumber, "g of the best choice according to the model"},
    {"model.best_r", Kind::kNumber, "its r"},
    {"model.best_b", Kind::kNumber, "its B"},
    {"model.best", Kind::kNumber, "the predicted ratio of that choice"},
};

template <std::size_t kRows>
void add(std::vector<ReportField>& fields, const std::string& before, const Row (&rows)[kRows]) {
  for (const Row& row : rows) fields.push_back({before + row.name, row.kind, row.meaning});
}

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  for (const char letter : pattern) {
    if (letter == '#') {
      const std::size_t begin = at;
      while (at < name.size() && is_digit(name[at])) ++at;
      if (at == begin) return false;
    } else if (at == name.size() || name[at++] != letter) {
      return false;
    }
  }
  return at == name.size();
}

}  // namespace

const std::vector<ReportField>& report_fields() {
  static const std::vector<ReportField> fields = [] {
    std::vector<ReportField> all;
    add(all, "", kOfLife);
    add(all, "", kOfLaunch);
    add(all, "thread.", kOfThread);
    add(all, "pane#.", kOfLaunch);
    add(all, "pane#.", kOfPane);
    add(all, "pane#.thread.", kOfThread);
    add(all, "mandelbrot.", kOfMandelbrot);
    return all;
  }();
  return fields;
}

const ReportField* find_report_field(std::string_view name) {
  const auto& all = report_fields();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ReportField& field) { return matches(field.name, name); });
  return found == all.end() ? nullptr : &*found;
}

std::string allowed_fields(std::string_view name) {
  std::string group(name.substr(0, name.rfind('.') + 1));
  for (std::size_t at = 0; at < group.size();) {
    std::size_t end = at;
    while (end < group.size() && is_digit(group[end])) ++end;
    if (end > at) group.replace(at, end - at, "#");
    ++at;
  }
  const auto list = [](auto&& wanted) {
    std::string names;
    for (const ReportField& field : report_fields()) {
      if (wanted(field)) names += (names.empty() ? "" : ", ") + field.name;
    }
    return names;
  };
  const std::string near = list([&](const ReportField& field) {
    return field.name.starts_with(group) && field.name.find('.', group.size()) == std::string::npos;
  });
  return near.empty() ? list([](const ReportField&) { return true; }) : near;
}

}  // namespace loom::app::lessons
