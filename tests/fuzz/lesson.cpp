// A text is a lesson or an InputError: its TOML, its texts with fields, and its expressions.
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
