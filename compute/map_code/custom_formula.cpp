#include "compute/mandelbrot/custom_formula.h"

#include <fmt/format.h>

#include <utility>

#include "compute/core/error.h"
#include "compute/mandelbrot/volume.h"
#include "compute/map_code/code.h"
#include "compute/map_code/program.h"

namespace loom {

struct CustomFormula::Parsed {
  explicit Parsed(std::string code)
      : text(std::move(code)),
        programs{parse_map_code(text, CodeLanguage::kFloatFormula),
                 parse_map_code(text, CodeLanguage::kDoubleFormula)} {}
  std::string text;
  MapProgram programs[2];  ///< with float and with double
};

CustomFormula::CustomFormula(std::string text, std::string origin)
    : parsed_(std::make_shared<const Parsed>(std::move(text))), origin_(std::move(origin)) {}

const std::string& CustomFormula::text() const {
  static const std::string none;
  return empty() ? none : parsed_->text;
}

const std::vector<CodeProblem>& CustomFormula::problems() const {
  static const std::vector<CodeProblem> none;
  return empty() ? none : parsed_->programs[1].problems;
}

namespace {

/// Throws InputError, one line, unless there is code of this number of dimensions that the user has typed or
/// run.
void check_code(const CustomFormula& formula, int dimensions) {
  if (formula.empty()) throw InputError("a custom formula needs its code; allowed: --formula-file FILE");
  if (!formula.problems().empty())
    throw InputError(fmt::format("formula: {}", to_string(formula.problems().front())));
  if (dimensions_of(formula) != dimensions) {
    throw InputError(
        dimensions == 3 ? "formula: next() is of the plane; allowed in space: Vector next(Vector v, Vector c)"
                        : "formula: next() is of space; allowed in the plane: Complex next(Complex z, "
                          "Complex c)");
  }
  if (!formula.origin().empty()) {
    throw InputError(fmt::format(
        "the code of the formula came with {}; allowed: to read it, and to run it with Run or --formula-file",
        formula.origin()));
  }
}

}  // namespace

int dimensions_of(const CustomFormula& formula) {
  return formula.empty() || !formula.problems().empty() ? 0 : formula.program().code->dimensions();
}

void check_in_space(const CustomFormula& formula) {
  check_code(formula, 3);
}

bool CustomFormula::may_run() const {
  return dimensions_of(*this) == 2 && origin_.empty();
}

void CustomFormula::check() const {
  check_code(*this, 2);
}

const MapProgram& CustomFormula::program() const {
  return parsed_->programs[1];
}

const MapCode& CustomFormula::code(bool is_double) const {
  return *parsed_->programs[is_double ? 1 : 0].code;
}

std::strong_ordering operator<=>(const CustomFormula& a, const CustomFormula& b) {
  if (a.empty() != b.empty()) return a.empty() ? std::strong_ordering::less : std::strong_ordering::greater;
  if (a.parsed_ != b.parsed_) {
    if (const int order = a.text().compare(b.text()); order != 0) return order <=> 0;
  }
  return a.origin_.compare(b.origin_) <=> 0;
}

}  // namespace loom
