#include "app/plot/window/save_figure.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <filesystem>
#include <utility>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kFigureTitle = "Export figure";
constexpr float kDialogWidth = 30;  // in font sizes

struct Extension {
  const char* label;
  const char* text;
  bool numbers;
};
constexpr std::array kExtensions = {Extension{"SVG", ".svg", false}, Extension{"PDF", ".pdf", false},
                                    Extension{"PNG", ".png", false}, Extension{"CSV", ".csv", true},
                                    Extension{"LaTeX", ".tex", true}};

std::string with_extension(const std::string& file, const char* extension) {
  return std::filesystem::path(file).replace_extension(extension).string();
}

bool is_there(const std::string& typed) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(typed_path(typed), ignored);
}

}  // namespace

void SaveFigure::open(std::size_t source) {
  begin_ = true;
  source_ = source;
  suggested_.clear();
  clear_outcome();
}

void SaveFigure::clear_outcome() {
  saved_.clear();
  problem_.clear();
  file_exists_ = false;
}

void SaveFigure::suggest(const FigureSource& source) {
  if (!source.disabled_reason.empty()) return;
  const bool numbers = extension_ == ".csv" || extension_ == ".tex";
  if (numbers && !plot::has_tables(source.what)) extension_ = ".svg";
  const std::string name = source.name + extension_;
  if (file_.empty() || file_ == suggested_ || suggested_.empty()) file_ = name;
  suggested_ = name;
}

void SaveFigure::extension_row(const FigureSource& source) {
  row_label("As");
  const float width = equal_width(static_cast<int>(kExtensions.size()));
  for (const Extension& extension : kExtensions) {
    if (&extension != &kExtensions.front()) ImGui::SameLine();
    const std::string disabled_reason = extension.numbers && !plot::has_tables(source.what)
                                            ? "This figure has no table of numbers"
                                            : std::string();
    const char* const hint = extension.numbers ? "Only the numbers" : "The drawing with its legend";
    if (choice_button(extension.label, file_.ends_with(extension.text), width, disabled_reason, hint)) {
      extension_ = extension.text;
      const bool untouched = file_ == suggested_;
      file_ = with_extension(file_, extension.text);
      if (untouched) suggested_ = file_;
      clear_outcome();
    }
    areas_[extension.label] = item_area();
  }
}

std::optional<SaveFigure::Request> SaveFigure::buttons(const FigureSource& source) {
  std::optional<Request> request;
  const float half = equal_width(2);
  const std::string disabled_reason = !source.disabled_reason.empty() ? source.disabled_reason
                                      : busy() || asked_              ? "The file is being written"
                                      : file_.empty()                 ? "Type a file name first"
                                                                      : std::string();
  if (primary_button(file_exists_ ? "Replace" : "Save", half, disabled_reason)) {
    request = {source_, typed_path(file_).string(), text_size_, file_exists_};
    remember_folder(request->file);
    clear_outcome();
    asked_ = true;
  }
  areas_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, remaining_width())) ImGui::CloseCurrentPopup();
  areas_["close"] = item_area();
  return request;
}

std::optional<SaveFigure::Request> SaveFigure::show(std::span<const FigureSource> sources) {
  take();
  areas_.clear();
  open_ = begin_dialog(kFigureTitle, begin_, kDialogWidth, 0.25f);
  if (!open_) return std::nullopt;
  if (source_ >= sources.size()) source_ = 0;
  row_label("Of");
  if (ImGui::BeginCombo("##of", sources[source_].label.c_str())) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      ImGui::BeginDisabled(!sources[i].disabled_reason.empty());
      if (ImGui::Selectable(sources[i].label.c_str(), i == source_)) {
        source_ = i;
        clear_outcome();
      }
      ImGui::EndDisabled();
      tooltip(sources[i].disabled_reason);
    }
    ImGui::EndCombo();
  }
  areas_["of"] = item_area();
  const FigureSource& source = sources[source_];
  suggest(source);
  extension_row(source);
  row_label("Text size");
  slider("##points", &text_size_, 4, 40, "%.0f points", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Scales the whole drawing. With text of 11 points it is about as wide as a page");
  row_label("File");
  if (ImGui::InputText("##file", &file_)) clear_outcome();
  areas_["file"] = item_area();
  if (ImGui::IsItemHovered()) tooltip(typed_path(file_).string());
  const auto request = buttons(source);
  if (!source.disabled_reason.empty()) note(source.disabled_reason);
  if (busy()) note("Writing...");
  if (!problem_.empty()) warning(problem_);
  if (!saved_.empty()) note(saved_);
  end_dialog(areas_);
  return request;
}

void SaveFigure::show_problem(const std::string& problem) {
  asked_ = false;
  problem_ = problem;
  file_exists_ = is_there(file_);
}

void SaveFigure::write(const Request& request, FigureJob job) {
  if (busy()) return;
  try {
    // Report an invalid name before the work starts.
    plot::check_extension(job.what, request.file);
    check_may_replace(request.file, request.replace, {});
  } catch (const InputError& error) {
    return show_problem(error.what());
  }
  asked_ = false;
  task_.start(
      [request, job = std::make_shared<const FigureJob>(std::move(job))](const ProgressMonitor& monitor) {
        // Bounded, for example by diagram::kMaxUnits.
        const diagram::Diagram diagram = plot::pane_diagram(*job);
        check_cancel(&monitor);
        const std::string title = plot::title_of(job->what, job->config);
        write_file(request.file, plot::bytes_of(diagram, request.file, request.text_size, title), &monitor);
        return "Saved " + request.file;
      });
}

void SaveFigure::take() {
  const auto outcome = task_.poll();
  if (!outcome) return;
  saved_ = outcome->result.value_or("");
  problem_ = outcome->cancelled ? "cancelled" : outcome->problem;
}

}  // namespace loom::app
