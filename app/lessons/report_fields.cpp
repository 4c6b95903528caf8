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

// Of the scene, and with pane#. before it of a pane beside it.
constexpr Row kOfLaunch[] = {
    {"map", Kind::kText, "bounding-box, lambda or compact"},
    {"arithmetic", Kind::kText, "what computes λ and ν"},
    {"intra_block", Kind::kText, "how a block's threads find their cells"},
    {"block", Kind::kNumber, "ρ_x, the width of a block in cells"},
    {"tiles", Kind::kNumber, "blocks that share a thread block of the GPU"},
    {"block_height", Kind::kNumber, "ρ_y"},
    {"block_level", Kind::kNumber, "j, the level of the fractal within a block"},
    {"block_points", Kind::kNumber, "ρ_x times ρ_y"},
    {"block_cells", Kind::kNumber, "cells of a block, k^j"},
    {"map_level", Kind::kNumber, "r − j, the levels that the map of blocks has"},
    {"grid_width", Kind::kNumber, "blocks in a row of the grid that the map launches"},
    {"grid_height", Kind::kNumber, "rows of that grid"},
    {"thread_blocks", Kind::kNumber, "thread blocks that a GPU launches for them"},
    {"threads_of_thread_block", Kind::kNumber, "threads of such a thread block"},
    {"most_tiles", Kind::kNumber, "the largest number of tiles that is allowed"},
    {"blocks_launched", Kind::kNumber, "blocks of the map that had threads (counted)"},
    {"blocks_occupied", Kind::kNumber, "of these, the ones with cells (counted)"},
    {"blocks_empty", Kind::kNumber, "of these, the ones without"},
    {"threads_launched", Kind::kNumber, "threads of one generation (counted)"},
    {"threads_active", Kind::kNumber, "of these, the ones that had a cell (counted)"},
    {"threads_idle", Kind::kNumber, "of these, the ones that had none"},
    {"threads_misplaced", Kind::kNumber, "of these, the ones led to a wrong place by tensor-fp16 (counted)"},
    {"bytes_held", Kind::kNumber, "memory for cells, both generations"},
    {"bytes_of_generation", Kind::kNumber, "memory for one generation"},
    {"step_ms", Kind::kNumber, "milliseconds of a generation: the median of those measured in the frames"},
};

// Of the thread that the dock explains, in the scene (thread.) and in a pane (pane#.thread.).
constexpr Row kOfThread[] = {
    {"block_x", Kind::kNumber, "ω_x of its block"},
    {"block_y", Kind::kNumber, "ω_y"},
    {"number", Kind::kNumber, "its number within the block"},
    {"thread_block_x", Kind::kNumber, "blockIdx.x"},
    {"thread_block_y", Kind::kNumber, "blockIdx.y"},
    {"tile", Kind::kNumber, "which tile of its thread block the block is"},
    {"warp", Kind::kNumber, "its warp in the thread block"},
    {"lane", Kind::kNumber, "its lane in the warp"},
    {"lanes_working", Kind::kNumber, "lanes of its warp that have a cell"},
    {"place_x", Kind::kNumber, "where its block lies in the square, in blocks"},
    {"place_y", Kind::kNumber, ""},
    {"block_works", Kind::kTruth, "its block has cells"},
    {"at_x", Kind::kNumber, "where it is within the block"},
    {"at_y", Kind::kNumber, ""},
    {"cell_x", Kind::kNumber, "its point of the square"},
    {"cell_y", Kind::kNumber, ""},
    {"works", Kind::kTruth, "the point is a cell"},
    {"address", Kind::kNumber, "the cell's byte in memory"},
    {"line", Kind::kNumber, "the line of 128 bytes that it is in"},
    {"sector", Kind::kNumber, "the sector of 32 bytes"},
    {"level#.digit", Kind::kNumber, "λ: the digit of ω at level # (1 the finest)"},
    {"level#.from_x", Kind::kTruth, "λ: the digit is of ω_x, else of ω_y"},
    {"level#.offset_x", Kind::kNumber, "λ: τ_x, the offset of the replica that the digit picks"},
    {"level#.offset_y", Kind::kNumber, "λ: τ_y"},
    {"level#.width", Kind::kNumber, "λ: how wide a replica of that level is, in blocks"},
    {"level#.sum_x", Kind::kNumber, "λ: the sum so far"},
    {"level#.sum_y", Kind::kNumber, ""},
    {"reads.requests", Kind::kNumber, "requests by which its warp reads cells"},
    {"reads.sectors", Kind::kNumber, "sectors of 32 bytes that these move"},
    {"reads.used", Kind::kNumber, "bytes of them that are used"},
    {"reads.moved", Kind::kNumber, "bytes of these sectors"},
    {"writes.requests", Kind::kNumber, "the same of the cells that it writes"},
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
    {"width", Kind::kNumber, "points of the square on the x axis, s_x^r"},
    {"height", Kind::kNumber, "on the y axis"},
    {"points", Kind::kNumber, "of the square"},
    {"cells", Kind::kNumber, "of the fractal, k^r"},
    {"workload", Kind::kText, "life, single-write or reduction"},
    {"rule", Kind::kText, "B…/S…"},
    {"seed", Kind::kNumber, "of the random start"},
    {"density", Kind::kNumber, "of the random start"},
    {"generation", Kind::kNumber, "since the start"},
    {"population", Kind::kNumber, "living cells"},
    {"playing", Kind::kTruth, "generations go on by themselves"},
    {"backend", Kind::kText, "cpu or cuda"},
    {"wrong", Kind::kText, "why the picture is wrong; empty where it is right"},
};

constexpr Row kOfPane[] = {
    {"equal", Kind::kTruth, "has the scene's cells"},
    {"cells_that_differ", Kind::kNumber, "from the scene's"},
    {"generation", Kind::kNumber, "since the start"},
    {"backend", Kind::kText, "cpu or cuda"},
};

constexpr Row kOfMandelbrot[] = {
    {"method", Kind::kText, "exhaustive, dp or ask"},
    {"scheme", Kind::kText, "sbr or mbr"},
    {"g", Kind::kNumber, "first regions on each axis"},
    {"r", Kind::kNumber, "parts of a split on each axis"},
    {"b", Kind::kNumber, "B, the size at which splitting ends"},
    {"dwell_limit", Kind::kNumber, "most steps of an orbit"},
    {"precision", Kind::kText, "float or double"},
    {"ms", Kind::kNumber, "milliseconds of a computation at full resolution: the median of the runs"},
    {"exhaustive_ms", Kind::kNumber, "of the exhaustive method at the same view, once it was timed"},
    {"pixels", Kind::kNumber, "of the picture"},
    {"computed_pixels", Kind::kNumber, "whose orbits were begun (counted)"},
    {"filled_pixels", Kind::kNumber, "written without an orbit"},
    {"work_reduction", Kind::kNumber, "pixels over pixels computed"},
    {"bytes_held", Kind::kNumber, "dwells and tables of regions"},
    {"levels", Kind::kNumber, "levels of regions"},
    {"regions_looked_at", Kind::kNumber, "regions on all levels (counted)"},
    {"regions_filled", Kind::kNumber, "of these, filled with one dwell"},
    {"regions_leaves", Kind::kNumber, "of these, computed pixel by pixel"},
    {"regions_split", Kind::kNumber, "of these, split"},
    {"level#.regions", Kind::kNumber, "the same of one level (0 the first)"},
    {"level#.filled", Kind::kNumber, ""},
    {"level#.leaves", Kind::kNumber, ""},
    {"level#.splits", Kind::kNumber, ""},
    {"level#.children", Kind::kNumber, "regions that its splits made"},
    {"level#.split_share", Kind::kNumber, "P of the level: splits over regions"},
    {"level#.width", Kind::kNumber, "of its widest region, in pixels"},
    {"inside", Kind::kNumber, "pixels at the dwell limit (counted)"},
    {"steps", Kind::kNumber,
     "steps of the orbits that are computed: the dwells but of pixels that a formula knows to be inside"},
    {"warps", Kind::kNumber, "warps of the exhaustive launch for this picture"},
    {"lane_steps", Kind::kNumber, "steps that these warps' lanes take or wait: 32 times the longest of each"},
    {"waiting", Kind::kNumber, "of these, the share spent waiting"},
    {"model.n", Kind::kNumber, "side of a square with as many pixels"},
    {"model.p", Kind::kNumber, "P, the share of regions that split (counted)"},
    {"model.lambda", Kind::kNumber, "λ, the cost of a split"},
    {"model.predicted", Kind::kNumber, "the model's ratio for this cut"},
    {"model.best_g", Kind::kNumber, "the cut that the model likes best"},
    {"model.best_r", Kind::kNumber, ""},
    {"model.best_b", Kind::kNumber, ""},
    {"model.best", Kind::kNumber, "its ratio there"},
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
