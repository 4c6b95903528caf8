#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/explain/diagram/diagrams.h"
#include "app/explain/fragments.h"
#include "app/explain/map_steps.h"
#include "app/explain/warp_memory_access.h"
#include "app/text/format.h"
#include "compute/map/tensor_arithmetic.h"
#include "map_sources.h"

namespace loom::app::diagram {
namespace {

using explain::ThreadSpace;

/// A function: its file, and a part of its first line that is unique in the file.
struct Place {
  std::string_view file;
  std::string_view source;
  std::string_view signature;
};

constexpr Place kBoundingBox = {"compute/map/bounding_box.h", embedded::bounding_box_h,
                                "place(Coord<Int> tile)"};
constexpr Place kLoopLambda = {"compute/geometry/transforms.h", embedded::transforms_h,
                               " uniform_lambda_map("};
constexpr Place kLoopNu = {"compute/geometry/transforms.h", embedded::transforms_h, " uniform_nu_map("};
constexpr Place kMixedLambda = {"compute/geometry/transforms.h", embedded::transforms_h,
                                " mixed_lambda_map("};
constexpr Place kMixedNu = {"compute/geometry/transforms.h", embedded::transforms_h, " mixed_nu_map("};
constexpr Place kTurnedLambda = {"compute/geometry/transforms.h", embedded::transforms_h,
                                 " turned_lambda_map("};
constexpr Place kTurnedNu = {"compute/geometry/transforms.h", embedded::transforms_h, " walk_turned("};
constexpr Place kTableLambda = {"compute/map/table_arithmetic.h", embedded::table_arithmetic_h,
                                "lambda(Coord<Int> omega) const {"};
constexpr Place kTableNu = {"compute/map/table_arithmetic.h", embedded::table_arithmetic_h,
                            "nu(Coord<Int> place) const {"};
constexpr Place kShuffleLambda = {"compute/cuda/warp/warp_arithmetic.cuh", embedded::warp_arithmetic_cuh,
                                  " warp_lambda("};
constexpr Place kShuffleNu = {"compute/cuda/warp/warp_arithmetic.cuh", embedded::warp_arithmetic_cuh,
                              " warp_nu("};
constexpr Place kTensorLambda = {"compute/cuda/warp/tensor_arithmetic.cuh", embedded::tensor_arithmetic_cuh,
                                 " warp_tensor_lambda("};
constexpr Place kTensorNu = {"compute/cuda/warp/tensor_arithmetic.cuh", embedded::tensor_arithmetic_cuh,
                             " warp_tensor_nu("};
constexpr Place kTensorCell = {"compute/map/tensor_cell_arithmetic.h", embedded::tensor_cell_arithmetic_h,
                               "cell(Coord<Int> omega, Coord32 at) const {"};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// The lines of a function: from the signature, including a preceding `template` line, to the closing brace
/// with the same indentation. The indentation of the first line is removed.
SourceListing code_at(const Place& place) {
  const std::vector<std::string> lines = lines_of(place.source);
  const auto has = [&](const std::string& line) { return line.find(place.signature) != std::string::npos; };
  const auto found = std::find_if(lines.begin(), lines.end(), has);
  if (found == lines.end()) {
    throw std::logic_error(fmt::format("{} has no function '{}'", place.file, place.signature));
  }
  auto begin = found;
  if (begin != lines.begin() && std::prev(begin)->find("template <") != std::string::npos) --begin;
  const std::size_t indent = indentation(*found);
  auto end = found;
  const bool one_line = found->ends_with("}");
  while (!one_line && end != lines.end() &&
         !(indentation(*end) == indent && end->substr(indent).starts_with("}"))) {
    ++end;
  }
  SourceListing code{std::string(place.file), {}};
  for (auto line = begin; line != lines.end() && line <= end; ++line) {
    code.lines.push_back({line->substr(std::min(indent, indentation(*line))), {}});
  }
  return code;
}

/// Sets the value of the first line that contains `text` and has no value.
void put(SourceListing& code, std::string_view text, std::string value) {
  const auto found = std::find_if(code.lines.begin(), code.lines.end(), [&](const SourceLine& line) {
    return line.value.empty() && line.text.find(text) != std::string::npos;
  });
  if (found == code.lines.end()) {
    throw std::logic_error(fmt::format("{} has no line '{}'", code.file, text));
  }
  found->value = std::move(value);
}

std::string text_of(Coord64 c) {
  return format_pair(c.x, c.y);
}

/// The requested row, or the last one if `row` is out of range; null if there are no rows.
template <typename Row>
const Row* row_of(const std::vector<Row>& rows, int row) {
  if (rows.empty()) return nullptr;
  return row < 0 || row >= static_cast<int>(rows.size()) ? &rows.back()
                                                         : &rows[static_cast<std::size_t>(row)];
}

/// The orientation and the side are those of the finest levels up to this one; only values of single levels
/// are shown.
SourceListing turned_lambda(const ThreadSpace& threads, Coord64 omega, int row) {
  SourceListing code = code_at(kTurnedLambda);
  const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
  if (const explain::LambdaStep* const step = row_of(steps.steps, row)) {
    put(code, "for (int mu", fmt::format("mu = {}", step->level));
    put(code, "beta = ", fmt::format("beta = {}", step->digit));
    put(code, "symmetry = level.symmetry",
        std::string(loom::name_of(threads.tiled().coarse_symmetry(step->level, step->digit))));
  }
  put(code, "return result;", text_of(steps.place));
  return code;
}

SourceListing turned_nu(const ThreadSpace& threads, Coord64 place, int row) {
  SourceListing code = code_at(kTurnedNu);
  const explain::NuSteps steps = explain::nu_steps(threads, place);
  if (const explain::NuStep* const step = row_of(steps.steps, row)) {
    put(code, "for (int mu = levels", fmt::format("mu = {}", step->level));
    put(code, "tau = apply(", fmt::format("q = {}", loom::name_of(step->symmetry)));
    put(code, "replica = ", fmt::format("replica = {}", step->replica));
  }
  return code;
}

SourceListing mixed_lambda(const ThreadSpace& threads, Coord64 omega, int row) {
  SourceListing code = code_at(kMixedLambda);
  const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
  if (const explain::LambdaStep* const step = row_of(steps.steps, row)) {
    put(code, "for (int mu", fmt::format("mu = {}", step->level));
    put(code, "beta = ", fmt::format("beta = {}", step->digit));
    put(code, "cell.x +=", fmt::format("cell.x = {}", step->sum.x));
    put(code, "cell.y +=", fmt::format("cell.y = {}", step->sum.y));
  }
  put(code, "return cell;", text_of(steps.place));
  return code;
}

SourceListing loop_lambda(const ThreadSpace& threads, Coord64 omega, int row) {
  if (threads.tiled().is_turned()) return turned_lambda(threads, omega, row);
  if (!threads.tiled().is_uniform()) return mixed_lambda(threads, omega, row);
  SourceListing code = code_at(kLoopLambda);
  const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
  if (const explain::LambdaStep* const step = row_of(steps.steps, row)) {
    const NbbShape& shape = threads.tiled().shape;
    put(code, "beta = ", fmt::format("beta = {}", step->digit));
    put(code, "cell.x +=", fmt::format("cell.x = {}", step->sum.x));
    put(code, "cell.y +=", fmt::format("cell.y = {}", step->sum.y));
    put(code, "weight_x *=", fmt::format("weight_x = {}", step->weight.x * shape.s_x));
    put(code, "weight_y *=", fmt::format("weight_y = {}", step->weight.y * shape.s_y));
    const bool last = step == &steps.steps.back() && steps.steps.size() % 2 == 1;
    if (last) {
      put(code, "if (levels & 1)", fmt::format("level {}", step->level));
    } else {
      put(code, step->from_x ? "  add_level(omega.x);" : "  add_level(omega.y);",
          fmt::format("level {}", step->level));
    }
  }
  put(code, "return cell;", text_of(steps.place));
  return code;
}

SourceListing loop_nu(const ThreadSpace& threads, Coord64 place, int row) {
  if (threads.tiled().is_turned()) return turned_nu(threads, place, row);
  SourceListing code = code_at(threads.tiled().is_uniform() ? kLoopNu : kMixedNu);
  const explain::NuSteps steps = explain::nu_steps(threads, place);
  if (const explain::NuStep* const step = row_of(steps.steps, row)) {
    put(code, "for (int mu", fmt::format("mu = {}", step->level));
    put(code, "tau_x = ", fmt::format("tau_x = {}", step->offset.x));
    put(code, "tau_y = ", fmt::format("tau_y = {}", step->offset.y));
    put(code, "replica = ", fmt::format("replica = {}", step->replica));
    if (step->replica >= 0) {
      put(code, step->to_x ? "result.omega.x +=" : "result.omega.y +=",
          step->to_x ? fmt::format("omega.x = {}", step->sum.x) : fmt::format("omega.y = {}", step->sum.y));
    }
  }
  put(code, "result.present =", steps.present ? "present" : "a hole");
  return code;
}

SourceListing table_lambda(const ThreadSpace& threads, Coord64 omega, int row) {
  if (threads.tiled().is_turned()) return turned_lambda(threads, omega, row);
  SourceListing code = code_at(kTableLambda);
  const explain::TableSteps steps = explain::table_lambda_steps(threads, omega);
  if (const explain::TableLookup* const read = row_of(steps.lookups, row)) {
    put(code, read->from_x ? "lambda_x_.take" : "lambda_y_.take",
        fmt::format("entry {} = {}, place = {}", read->number.x, text_of(read->entry), text_of(read->sum)));
  }
  put(code, "return place;", text_of(steps.result));
  return code;
}

SourceListing table_nu(const ThreadSpace& threads, Coord64 place, int row) {
  if (threads.tiled().is_turned()) return turned_nu(threads, place, row);
  SourceListing code = code_at(kTableNu);
  const explain::TableSteps steps = explain::table_nu_steps(threads, place);
  if (const explain::TableLookup* const read = row_of(steps.lookups, row)) {
    put(code, "entry = ", read->hole ? "entry: a hole" : "entry = " + text_of(read->entry));
    if (!read->hole) put(code, "add(result.omega", "omega = " + text_of(read->sum));
  }
  put(code, "result.present =", steps.present ? "present" : "a hole");
  return code;
}

SourceListing by_shuffle(const Place& place, const explain::ShuffleSteps& steps) {
  SourceListing code = code_at(place);
  put(code, "return {", steps.present ? text_of(steps.result) : "a hole");
  return code;
}

/// The digits of a result in its column of the last D.
std::string digits_of(const explain::Fragments& fragments, const explain::FragmentResult& result) {
  std::string text;
  for (int i = 0; i < result.rows; ++i) {
    const float value = fragments.products.back().d.at(result.first_row + i, result.column);
    text += fmt::format("{}{:.0f}", i > 0 ? ", " : "", value);
  }
  return text;
}

std::string number_of(const explain::FragmentResult& result) {
  return std::to_string(result.value) + (result.wrong ? " (wrong)" : "");
}

/// Pointer to the result with this name, an x coordinate, which its y coordinate follows. Null if there is
/// none.
const explain::FragmentResult* results_of(const explain::Fragments& fragments, const std::string& name_of_x) {
  for (const explain::FragmentResult& result : fragments.results) {
    if (result.name == name_of_x && !fragments.products.empty()) return &result;
  }
  return nullptr;
}

SourceListing tensor_lambda(const ThreadSpace& threads, Coord64 omega) {
  SourceListing code = code_at(kTensorLambda);
  const explain::Fragments fragments = explain::lambda_fragments(threads, omega);
  const auto* const x = results_of(fragments, fmt::format("λ_x of ω ({}, {})", omega.x, omega.y));
  if (x == nullptr) return code;
  const auto* const y = x + 1;
  const explain::FragmentProduct& last = fragments.products.back();
  const int levels = threads.tiled().coarse_level;
  const int row = levels - last.first_level;
  put(code, "for (std::uint32_t i = ", fmt::format("i = {}", x->column / 2));
  put(code, "tau = arithmetic.offset",
      fmt::format("mu = {}: tau = ({:.0f}, {:.0f})", levels, last.b.at(row, x->column),
                  last.b.at(row, y->column)));
  put(code, "const float* sums",
      fmt::format("x: {}   y: {}", digits_of(fragments, *x), digits_of(fragments, *y)));
  put(code, "arithmetic.join(", fmt::format("x = {}, y = {}", number_of(*x), number_of(*y)));
  return code;
}

SourceListing tensor_nu(const ThreadSpace& threads, Coord64 place, const std::optional<Coord64>& centre) {
  SourceListing code = code_at(kTensorNu);
  if (!centre) return code;
  const explain::Fragments fragments = explain::neighbour_fragments(threads, *centre);
  const auto* const x = results_of(fragments, fmt::format("ν_x of tile ({}, {})", place.x, place.y));
  if (x == nullptr) return code;
  const auto* const y = x + 1;
  constexpr int kHoleColumns = kFragmentSide / 2;
  const explain::FragmentProduct& last = fragments.products.back();
  const int levels = threads.tiled().coarse_level;
  const int row = levels - last.first_level;
  const bool hole = last.b.at(row, kHoleColumns + x->column) != 0;
  put(code, "for (std::uint32_t i = ", fmt::format("i = {}", x->column));
  put(code, "replica = arithmetic.replica",
      hole ? fmt::format("mu = {}: a hole", levels)
           : fmt::format("mu = {}: replica = {:.0f}", levels, last.b.at(row, x->column)));
  put(code, "const float* sums",
      fmt::format("x: {}   y: {}", digits_of(fragments, *x), digits_of(fragments, *y)));
  put(code, "arithmetic.join(", fmt::format("x = {}, y = {}", number_of(*x), number_of(*y)));
  put(code, "const float holes = ",
      fmt::format("holes = {:.0f}",
                  last.d.at(TensorArithmetic<std::uint64_t>::kHoleRow, kHoleColumns + x->column)));
  put(code, ".present = ", x->present ? "present" : "a hole");
  return code;
}

/// Values for the first position of the tile.
SourceListing tensor_cell(const ThreadSpace& threads, Coord64 omega) {
  SourceListing code = code_at(kTensorCell);
  const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
  const explain::Fragments x = explain::cell_fragments(threads, omega, 0, 0);
  const explain::Fragments y = explain::cell_fragments(threads, omega, 1, 0);
  put(code, "position = ", "position = 0");
  if (!steps.steps.empty()) {
    put(code, "tau = offset(",
        fmt::format("mu = {}: tau = {}", steps.steps.back().level,
                    text_of(Coord64{steps.steps.back().offset.x, steps.steps.back().offset.y})));
  }
  put(code, "sum.x +=", "x = " + number_of(x.results.front()));
  put(code, "sum.y +=", "y = " + number_of(y.results.front()));
  return code;
}

/// The paragraph that contains `name` and its closing brace: a function at namespace scope.
std::string function_text(std::string_view file, std::string_view source, std::string_view name) {
  const std::size_t found = source.find(name);
  if (found == std::string_view::npos)
    throw std::logic_error(fmt::format("{} has no function '{}'", file, name));
  const std::size_t blank = source.rfind("\n\n", found);
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 2;
  const std::size_t end = source.find("\n}\n", found);
  return std::string(source.substr(begin, end == std::string_view::npos ? end : end + 3 - begin));
}

}  // namespace

std::string kernel_source(const ThreadSpace& threads) {
  const explain::LifeKernel kernel = explain::life_kernel_of(threads);
  const std::string name(explain::kernel_name(kernel));
  const std::string block = name.substr(0, name.size() - std::string_view("kernel").size()) + "block(";
  const bool compact = kernel == explain::LifeKernel::kCompact || kernel == explain::LifeKernel::kCompactRows;
  const std::string_view file =
      compact ? "compute/cuda/life/life_compact.cuh" : "compute/cuda/life/life_expanded.cuh";
  const std::string_view source = compact ? embedded::life_compact_cuh : embedded::life_expanded_cuh;
  std::string text = fmt::format("// {}\n{}\n{}", file, function_text(file, source, " " + name + "("),
                                 function_text(file, source, " " + block));
  const SourceListing map = lambda_source(threads, {0, 0}, -1);
  text += fmt::format("\n// {}\n", map.file);
  for (const SourceLine& line : map.lines) text += line.text + "\n";
  return text;
}

SourceListing lambda_source(const ThreadSpace& threads, Coord64 omega, int row) {
  if (threads.config().method.map == MapKind::kBoundingBox) return code_at(kBoundingBox);
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      return loop_lambda(threads, omega, row);
    case MapArithmetic::kTable:
      return table_lambda(threads, omega, row);
    case MapArithmetic::kShuffle:
      return by_shuffle(kShuffleLambda, explain::shuffle_lambda_steps(threads, omega));
    case MapArithmetic::kTensor3:
      return tensor_cell(threads, omega);
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensorFp16:
      return tensor_lambda(threads, omega);
  }
  return {};
}

SourceListing nu_source(const ThreadSpace& threads, Coord64 place, int row,
                        const std::optional<Coord64>& centre) {
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      return loop_nu(threads, place, row);
    case MapArithmetic::kTable:
      return table_nu(threads, place, row);
    case MapArithmetic::kShuffle:
      return by_shuffle(kShuffleNu, explain::shuffle_nu_steps(threads, place));
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensor3:
    case MapArithmetic::kTensorFp16:
      return tensor_nu(threads, place, centre);
  }
  return {};
}

}  // namespace loom::app::diagram
