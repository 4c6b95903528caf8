#include <fmt/format.h>

#include "app/lessons/lesson.h"
#include "lesson_texts.h"

namespace loom::app::lessons {

const std::vector<BundledLesson>& bundled_lessons() {
  static const std::vector<BundledLesson> lessons = {
      {"bounding-box", embedded::bounding_box_toml},
      {"blocks", embedded::blocks_toml},
      {"lambda", embedded::lambda_toml},
      {"write-a-map", embedded::write_a_map_toml},
      {"inside-a-block", embedded::inside_a_block_toml},
      {"compact", embedded::compact_toml},
      {"warps", embedded::warps_toml},
      {"warp-if", embedded::warp_if_toml},
      {"tiles", embedded::tiles_toml},
      {"tensor-cores", embedded::tensor_cores_toml},
      {"tensor-counts", embedded::tensor_counts_toml},
      {"levels", embedded::levels_toml},
      {"space", embedded::space_toml},
      {"memory-and-speed", embedded::memory_and_speed_toml},
      {"divergence", embedded::divergence_toml},
      {"past-double", embedded::past_double_toml},
      {"dp-and-ask", embedded::dp_and_ask_toml},
      {"filling", embedded::filling_toml},
      {"eight-children", embedded::eight_children_toml},
      {"cost-model", embedded::cost_model_toml},
      {"gallery-generations", embedded::gallery_generations_toml},
      {"gallery-larger-than-life", embedded::gallery_larger_than_life_toml},
  };
  return lessons;
}

Lesson find_lesson(const std::string& name_or_file, const ReportFields& fields,
                   const CheckScene& check_scene) {
  for (const BundledLesson& bundled : bundled_lessons()) {
    if (bundled.name != name_or_file) continue;
    Lesson lesson = parse_lesson(bundled.text, fmt::format("{}.toml", name_or_file), fields, check_scene);
    lesson.name = name_or_file;
    return lesson;
  }
  return read_lesson_file(name_or_file, fields, check_scene);
}

}  // namespace loom::app::lessons
