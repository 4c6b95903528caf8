#include "compute/mandelbrot/custom_formula.h"

#include <fmt/format.h>

#include <utility>

#include "compute/core/error.h"
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

bool CustomFormula::may_run() const {
  return !empty() && problems().empty() && origin_.empty();
}

void CustomFormula::check() const {
  if (empty()) throw InputError("a custom formula needs its code; allowed: --formula-file FILE");
  if (!problems().empty()) throw InputError(fmt::format("formula: {}", to_string(problems().front())));
  if (!origin_.empty()) {
    throw InputError(fmt::format(
        "the code of the formula came with {}; allowed: to read it, and to run it with Run or --formula-file",
        origin_));
  }
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
