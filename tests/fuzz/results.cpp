// Parsing a text as results succeeds or throws an InputError. Writing and reading results gives the same
// results.
#include "app/bench/results.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::app::bench;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Results results = parse_results(text, "fuzz.json");
    const std::string written = document_text(results);
    if (document_text(parse_results(written, "written.json")) != written) std::abort();
  } catch (const loom::InputError&) {
  }
  return 0;
}
