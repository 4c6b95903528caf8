// Any text is parsed into problems at places of it, or into a map, or a formula, whose warps end within their
// budget and whose translation is made.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/geometry/nbb_catalog.h"
#include "compute/map_code/machine.h"
#include "compute/map_code/program.h"

namespace {

/// Parses the text, and returns whether it can run.
bool check_text(std::string_view text, loom::CodeLanguage language, loom::MapProgram& program) {
  using namespace loom;
  program = parse_map_code(text, language);
  std::size_t end = 0;
  for (const CodeToken& token : program.tokens) {
    if (token.begin < end || token.length == 0 || token.begin + token.length > text.size()) std::abort();
    end = token.begin + token.length;
  }
  if (program.problems.empty() != (program.code != nullptr)) std::abort();
  for (const CodeProblem& problem : program.problems)
    if (problem.message.empty() || problem.line < 0 || problem.column < 0) std::abort();
  if (!program.code) return false;
  if (translated(*program.code).empty()) std::abort();
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  MapProgram program;
  for (const CodeLanguage language : {CodeLanguage::kFloatFormula, CodeLanguage::kDoubleFormula}) {
    if (!check_text(text, language, program)) continue;
    Machine machine(*program.code, MapFractal(), nullptr, false);
    machine.limit = 1 << 16;
    machine.begin_next(~0u);
    machine.run();
  }
  if (!check_text(text, CodeLanguage::kMap, program)) return 0;
  const MapFractal fractal(find_fractal("sierpinski-gasket"), 4);
  for (const bool counts : {false, true}) {
    Machine machine(*program.code, fractal, nullptr, counts);
    machine.limit = 1 << 16;
    machine.begin_launch();
    if (!machine.run()) return 0;
    machine.begin_warp({1, 1, 48, 1}, 0, 0, 1);
    machine.run();
    if (machine.state().instructions > 2 * kMaxMapCode + machine.limit) std::abort();
  }
  return 0;
}
