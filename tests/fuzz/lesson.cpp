// Parsing a text as a lesson succeeds or throws an InputError. Covers the TOML, texts with fields and
// expressions.
#include "app/lessons/lesson.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compute/core/error.h"

namespace {

using loom::app::ReportField;

/// Those of the corpus, of each kind.
const loom::app::ReportFields kFields = [] {
  loom::app::ReportFields fields = {{"map", ReportField::Kind::kText, ""},
                                    {"thread.works", ReportField::Kind::kBoolean, ""}};
  for (const char* number : {"block", "tile_height", "cells", "level", "population", "replicas", "width",
                             "thread.tile_x", "thread.tile_y", "thread.place_x", "thread.place_y",
                             "thread.level#.digit", "thread.level#.offset_x", "thread.level#.width"})
    fields.push_back({number, ReportField::Kind::kNumber, ""});
  return fields;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    loom::app::lessons::parse_lesson(text, "fuzz.toml", kFields,
                                     [](const loom::app::lessons::SceneSettingList&) {});
  } catch (const loom::InputError&) {
  }
  return 0;
}
