#include "app/plot/window/save_figure.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <filesystem>
#include <utility>

#include "app/files/output_file.h"
#include "app/files/typed_path.h"
#include "app/widgets/choice.h"
#include "app/widgets/dialog.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kFigureTitle = "Export figure";
constexpr float kDialogWidth = 30;  // font sizes

struct Ending {
  const char* label;
  const char* text;
  bool numbers;
};
constexpr std::array kEndings = {Ending{"SVG", ".svg", false}, Ending{"PDF", ".pdf", false},
                                 Ending{"PNG", ".png", false}, Ending{"CSV", ".csv", true},
                                 Ending{"LaTeX", ".tex", true}};

std::string with_ending(const std::string& file, const char* ending) {
  return std::filesystem::path(file).replace_extension(ending).string();
}

bool is_there(const std::string& typed) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(typed_path(typed), ignored);
}

std::string drawn(const FigureJob& job, const SaveFigure::Wish& wish) {
  const teach::ThreadSpace threads(job.config);
  const sketch::Sketch sketch = plot::pane_sketch(job.what, {.threads = threads,
                                                             .colouring = job.colouring,
                                                             .thread = job.thread,
                                                             .neighbour = job.neighbour,
                                                             .alive = job.alive ? &*job.alive : nullptr,
                                                             .timeline = job.timeline.get(),
                                                             .part = job.part});
  return plot::bytes_of(sketch, wish.file, wish.text_size, plot::title_of(job.what, job.config));
}

}  // namespace

void SaveFigure::open(std::size_t source) {
  begin_ = true;
  source_ = source;
  suggested_.clear();
  forget_outcome();
}

void SaveFigure::forget_outcome() {
  saved_.clear();
  problem_.clear();
  there_already_ = false;
}

void SaveFigure::suggest(const FigureSource& source) {
  if (!source.why_not.empty()) return;
  const bool numbers = ending_ == ".csv" || ending_ == ".tex";
  if (numbers && !plot::has_tables(source.what)) ending_ = ".svg";
  const std::string name = source.name + ending_;
  if (file_.empty() || file_ == suggested_ || suggested_.empty()) file_ = name;
  suggested_ = name;
}

void SaveFigure::ending_row(const FigureSource& source) {
  row_label("As");
  const float width = part_of_line(static_cast<int>(kEndings.size()));
  for (const Ending& ending : kEndings) {
    if (&ending != &kEndings.front()) ImGui::SameLine();
    const std::string why_not = ending.numbers && !plot::has_tables(source.what)
                                    ? "This figure has no table of numbers"
                                    : std::string();
    const char* const hint = ending.numbers ? "Only the numbers" : "The drawing with its legend";
    if (choice_button(ending.label, file_.ends_with(ending.text), width, why_not, hint)) {
      ending_ = ending.text;
      const bool untouched = file_ == suggested_;
      file_ = with_ending(file_, ending.text);
      if (untouched) suggested_ = file_;
      forget_outcome();
    }
    places_[ending.label] = item_area();
  }
}

std::optional<SaveFigure::Wish> SaveFigure::buttons(const FigureSource& source) {
  std::optional<Wish> wish;
  const float half = part_of_line(2);
  const std::string why_not = !source.why_not.empty() ? source.why_not
                              : busy() || asked_      ? "The file is being written"
                              : file_.empty()         ? "Type a file name first"
                                                      : std::string();
  if (choice_button(there_already_ ? "Replace" : "Save", false, half, why_not)) {
    wish = {source_, typed_path(file_).string(), text_size_, there_already_};
    forget_outcome();
    asked_ = true;
  }
  places_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, rest_of_line())) ImGui::CloseCurrentPopup();
  places_["close"] = item_area();
  return wish;
}

std::optional<SaveFigure::Wish> SaveFigure::show(std::span<const FigureSource> sources) {
  take();
  places_.clear();
  open_ = begin_dialog(kFigureTitle, begin_, kDialogWidth, 0.25f);
  if (!open_) return std::nullopt;
  if (source_ >= sources.size()) source_ = 0;
  row_label("Of");
  if (ImGui::BeginCombo("##of", sources[source_].label.c_str())) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      ImGui::BeginDisabled(!sources[i].why_not.empty());
      if (ImGui::Selectable(sources[i].label.c_str(), i == source_)) {
        source_ = i;
        forget_outcome();
      }
      ImGui::EndDisabled();
      tooltip(sources[i].why_not);
    }
    ImGui::EndCombo();
  }
  places_["of"] = item_area();
  const FigureSource& source = sources[source_];
  suggest(source);
  ending_row(source);
  row_label("Text size");
  ImGui::SliderFloat("##points", &text_size_, 4, 40, "%.0f points", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Scales the whole drawing. With text of 11 points it is about as wide as a page");
  row_label("File");
  if (ImGui::InputText("##file", &file_)) forget_outcome();
  places_["file"] = item_area();
  if (ImGui::IsItemHovered()) tooltip(typed_path(file_).string());
  const auto wish = buttons(source);
  if (!source.why_not.empty()) note(source.why_not);
  if (busy()) note("Writing...");
  if (!problem_.empty()) warning(problem_);
  if (!saved_.empty()) note(saved_);
  end_dialog(places_);
  return wish;
}

void SaveFigure::refuse(const std::string& problem) {
  asked_ = false;
  problem_ = problem;
  there_already_ = is_there(file_);
}

void SaveFigure::write(const Wish& wish, FigureJob job) {
  if (busy()) return;
  try {
    // What is wrong with the name is told before the work.
    plot::check_ending(job.what, wish.file);
    check_may_replace(wish.file, wish.replace, "Replace");
  } catch (const InputError& error) {
    return refuse(error.what());
  }
  asked_ = false;
  outcome_ = {};
  worker_.start([this, wish, job = std::make_shared<const FigureJob>(std::move(job))](Watch&) {
    try {
      write_file(wish.file, drawn(*job, wish));
      outcome_.saved = "Saved " + wish.file;
    } catch (const std::runtime_error& error) {  // a wrong name, or a full disk
      outcome_.problem = error.what();
    }
  });
}

void SaveFigure::take() {
  if (!busy() || !worker_.has_ended()) return;
  saved_ = outcome_.saved;
  problem_ = outcome_.problem;
}

}  // namespace loom::app
