#include "app/workspaces/life/panels/pane_method.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>
#include <vector>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "compute/geometry/tile_sizes.h"
#include "compute/map/method_fields.h"

namespace loom::app {
namespace {

// In font sizes: of the rows, and of their labels, the longest of which is "Tiles per thread block".
constexpr float kMethodWidth = 25;
constexpr float kLabelWidth = 12.5f;

struct Value {
  std::string text;
  std::string problem = {};
};

/// A row of the table. Returns the index of the selected value.
std::optional<std::size_t> list_row(const std::string& label, const std::string& present,
                                    const std::vector<Value>& values, const std::string& hint,
                                    PaneMethodAreas& areas) {
  std::optional<std::size_t> picked;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  ImGui::SameLine(kLabelWidth * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(remaining_width());
  const bool open = ImGui::BeginCombo(("##" + label).c_str(), present.c_str());
  areas[label] = item_area();
  if (!open) {
    tooltip(hint);
    return picked;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    ImGui::BeginDisabled(!value.problem.empty());
    if (ImGui::Selectable(value.text.c_str(), value.text == present)) picked = i;
    // The positions of a list are valid from its second frame on.
    if (!ImGui::IsWindowAppearing()) areas[label + " " + value.text] = item_area();
    if (value.text == present && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    ImGui::EndDisabled();
    tooltip(value.problem);
  }
  ImGui::EndCombo();
  return picked;
}

FractalConfig with(const FractalConfig& config, const MethodField& field, const std::string& value) {
  FractalConfig other = config;
  field.read(value, other.method);
  // The number of tiles becomes automatic after a change of another setting.
  if (field.form != FieldForm::kWhole) other.method.tiles = 0;
  return other;
}

void field_row(const MethodField& field, FractalConfig& config, PaneMethodAreas& areas) {
  if (!field.varies(config.method)) return;
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  std::vector<std::string> texts = values_of(field, config.method, tiled);
  if (field.form == FieldForm::kWhole) texts.insert(texts.begin(), std::string(kAutoWord));
  const bool is_map = field.option == "map";
  std::vector<Value> values;
  for (const std::string& text : texts) {
    // Every map can be selected, because the other settings are adjusted to it.
    values.push_back(
        {text, is_map ? "" : capitalized(method_problem(with(config, field, text).method, tiled))});
  }
  const std::string present = field.text(config.method).value_or("");
  const auto picked =
      list_row(capitalized(std::string(field.label)), present, values, std::string(field.purpose), areas);
  if (!picked) return;
  config = with(config, field, texts[*picked]);
  keep_method_valid(config);
}

void block_row(FractalConfig& config, PaneMethodAreas& areas) {
  const auto blocks = allowed_tile_sizes(config.fractal, config.level);
  std::vector<Value> values;
  for (const std::uint32_t block : blocks) values.push_back({std::to_string(block)});
  const auto picked =
      list_row("Tile size ρ", std::to_string(config.tile_size), values, "Width of a tile in points", areas);
  if (!picked) return;
  config.tile_size = blocks[*picked];
  keep_method_valid(config);
}

void backend_row(std::optional<BackendChoice>& backend, const LifeStats& report, PaneMethodAreas& areas) {
  const std::string no_cuda =
      report.cuda.devices.empty() ? "No CUDA device: " + report.cuda.reason : std::string();
  const std::vector<Value> values = {{"active pane"}, {"CPU"}, {"CUDA", no_cuda}};
  const std::size_t now = !backend ? 0 : *backend == BackendChoice::kCuda ? 2 : 1;
  const auto picked = list_row("Backend", values[now].text, values, "What computes this pane", areas);
  if (!picked || *picked == now) return;
  backend.reset();
  if (*picked == 1) backend = BackendChoice::kCpu;
  if (*picked == 2) backend = BackendChoice::kCuda;
}

}  // namespace

void pane_method_rows(PaneSpec& spec, const FractalConfig& scene, const LifeStats& report,
                      PaneMethodAreas& areas) {
  ImGui::Dummy({kMethodWidth * ImGui::GetFontSize(), 0});
  FractalConfig config = scene;
  config.method = spec.method;
  config.tile_size = nearest_tile_size(config.fractal, config.level, spec.tile_size);
  keep_method_valid(config);
  const FractalConfig before = config;
  for (const MethodField& field : method_fields()) {
    field_row(field, config, areas);
    if (field.option == "map") block_row(config, areas);
  }
  backend_row(spec.backend, report, areas);
  if (config == before) return;  // keeps settings that only the current level does not allow
  spec.method = config.method;
  spec.tile_size = config.tile_size;
}

}  // namespace loom::app
