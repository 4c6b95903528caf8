#include <fmt/format.h>

#include "app/files/state_folder.h"
#include "app/gui/clipboard.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "compute/core/error.h"

namespace loom::app {

scene::StatePtr MandelbrotWorkspace::describe(bool exact_view) const {
  if (edits_.restored()) return edits_.restored();
  return std::make_shared<MandelbrotState>(
      settings_, exact_view && !area_.empty() ? std::optional(view()) : chosen_view());
}

scene::StatePtr MandelbrotWorkspace::quick_state() const {
  auto state = std::make_shared<MandelbrotState>(settings_, chosen_view());
  state->history = std::make_shared<const ViewHistory>(history_);
  return state;
}

scene::Json MandelbrotWorkspace::place() const {
  return to_json(MandelbrotPlace{
      view(), settings_.dwell_by_depth ? std::nullopt : std::optional(settings_.config.dwell_limit)});
}

std::string MandelbrotWorkspace::place_name() const {
  return fmt::format("{:.6g} {:+.6g}i, width {}", view().centre.x, view().centre.y,
                     shortened_decimal(decimal_of(view()).width, 3));
}

// Before the first frame of this workspace, its picture is taken to be as large as the window.
glm::ivec2 MandelbrotWorkspace::expected_picture() const {
  return area_.empty() ? services_.context.framebuffer_size() : picture_;
}

void MandelbrotWorkspace::look_at(const ComplexView& view, std::optional<std::uint32_t> dwell_limit) {
  request([=](MandelbrotEdit& edit) {
    if (dwell_limit) {
      edit.settings.config.dwell_limit = *dwell_limit;
      edit.settings.dwell_by_depth = false;
    }
    edit.commands.go_to = view;
  });
}

void MandelbrotWorkspace::go_to_place(const scene::Json& json) {
  const MandelbrotPlace place = read_mandelbrot_place(JsonReader(json, "place"));
  look_at(place.view, place.dwell_limit);
}

std::string MandelbrotWorkspace::coordinates(bool for_screen) const {
  return for_screen ? shown_text_of(view()) : text_of(view());
}

const CoordinateLabels& MandelbrotWorkspace::coordinate_labels() const {
  static constexpr CoordinateLabels kLabels = {
      .label = "re, im, width",
      .hint = "Centre and width of the view. Enter goes there",
      .paste_hint =
          "Pastes re, im, width, or a position of XaoS (.xpf) or Kalles Fraktaler (.kfr). These "
          "files can also be dropped on the window"};
  return kLabels;
}

std::string MandelbrotWorkspace::go_to_coordinates(const std::string& text) {
  const ParsedView read = parse_view(text);
  const glm::ivec2 size = expected_picture();
  const ComplexView view = read.fitted_to_aspect(static_cast<double>(size.x) / size.y);
  look_at(view, read.dwell_limit);
  return read.dropped;
}

void MandelbrotWorkspace::paste_view() {
  try {
    message_ = Message::warning(go_to_coordinates(clipboard::text()));
  } catch (const InputError& error) {
    message_ = Message::error(fmt::format("The clipboard contains no position: {}", error.what()));
  }
}

bool MandelbrotWorkspace::opens(const std::filesystem::path& file) const {
  return file.extension() == ".xpf" || file.extension() == ".kfr";
}

void MandelbrotWorkspace::open_file(const std::filesystem::path& file) {
  const auto text = read_state_file(file, kMaxViewText);
  if (!text) throw InputError(file.string() + ": there is no such file");
  try {
    message_ = Message::warning(go_to_coordinates(*text));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.filename().string(), error.what()));
  }
}

}  // namespace loom::app
