#include "app/life/panes/lens_pane.h"

#include <imgui.h>

#include "app/sketch/lens_sketch.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {
namespace {

/// Warps that the average is of, where the launch has more: some 0.1 to 0.2 ms each, all in one frame.
constexpr std::uint64_t kMostWarps = 32;

}  // namespace

void LensPane::follow(const Explained& explained) {
  const teach::ThreadSpace& threads = *explained.space();
  const teach::Warp& warp = explained.thread()->warp;
  const bool same = made_ && made_->config == threads.config() && made_->thread_block == warp.thread_block &&
                    made_->number == warp.number;
  if (same) return;
  if (average_of_ != threads.config()) {
    average_of_ = threads.config();
    average_ = teach::launch_traffic(threads, kMostWarps);
  }
  const teach::WarpLens lens = teach::warp_lens(threads, warp.thread_block, warp.number);
  made_.emplace(Made{threads.config(), warp.thread_block, warp.number, sketch::lens_sketch(lens, average_)});
}

void LensPane::show(const char* id, const Area& area, const Explained& explained) {
  if (area.empty()) return;
  begin_pane_window(id, area);
  if (!explained.thread()) {
    note(explained.why_not().empty()
             ? "Press X and hover a cell, thread or byte to see the memory accesses of its warp."
             : explained.why_not());
  } else if (!explained.thread()->traffic) {
    note("Addresses of this storage exceed 64 bits.");
  } else {
    follow(explained);
    show_sketch(made_->sketch);
  }
  ImGui::End();
}

}  // namespace loom::app
