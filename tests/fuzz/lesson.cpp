// Parsing a text as a lesson succeeds or throws an InputError. Covers the TOML, texts with fields and
// expressions.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/lessons/lesson_file.h"
#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    loom::app::lessons::parse_lesson(text, "fuzz.toml", [](const loom::app::lessons::SceneSettingList&) {});
  } catch (const loom::InputError&) {
  }
  return 0;
}
