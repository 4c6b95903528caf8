#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace loom {

struct CodeProblem;  // compute/map_code/program.h
struct MapCode;
struct MapProgram;

/// A formula that the user has written: its text, parsed (compute/map_code/custom_formula.cpp). Empty by
/// default. Copies share the parsed text.
class CustomFormula {
 public:
  CustomFormula() = default;
  /// `origin`: where code came from that the user has not run, such as "the scene"; empty: it may run.
  explicit CustomFormula(std::string text, std::string origin = {});

  bool empty() const { return parsed_ == nullptr; }
  const std::string& text() const;
  const std::string& origin() const { return origin_; }
  const std::vector<CodeProblem>& problems() const;
  /// Whether there is code without problems that the user has typed or run.
  bool may_run() const;
  /// Throws InputError, one line, unless the code may run.
  void check() const;
  /// The parsed text, with double.
  const MapProgram& program() const;
  /// Of code without problems, whose numbers are float or double.
  const MapCode& code(bool is_double) const;

  friend bool operator==(const CustomFormula& a, const CustomFormula& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const CustomFormula& a, const CustomFormula& b);

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
  std::string origin_;
};

}  // namespace loom
