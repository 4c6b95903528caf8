#include "app/workspaces/life/panes/memory_access_pane.h"

#include <imgui.h>

#include "app/explain/diagram/memory_access_diagram.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {
namespace {

/// Sample size of the average if the launch has more warps: 0.1 to 0.2 ms per warp, all in one frame.
constexpr std::uint64_t kMaxWarps = 32;

}  // namespace

void MemoryAccessPane::follow(const ThreadExplanation& explanation) {
  const explain::ThreadSpace& threads = *explanation.space();
  const explain::Warp& warp = explanation.thread()->warp;
  const bool same = cached_ && cached_->config == threads.config() &&
                    cached_->thread_block == warp.thread_block && cached_->number == warp.number;
  if (same) return;
  if (average_of_ != threads.config()) {
    average_of_ = threads.config();
    average_ = explain::launch_traffic(threads, kMaxWarps);
  }
  const explain::WarpMemoryAccess access =
      explain::warp_memory_access(threads, warp.thread_block, warp.number);
  cached_.emplace(Cached{threads.config(), warp.thread_block, warp.number,
                         diagram::memory_access_diagram(access, average_)});
}

void MemoryAccessPane::show(const char* id, const PaneSubject& subject, PaneResponse&) {
  if (area_.empty()) return;
  const ThreadExplanation& explanation = subject.explanation;
  begin_pane_window(id, area_);
  if (!explanation.thread()) {
    note(explanation.problem().empty()
             ? "Press X and hover a cell, thread or byte to see the memory accesses of its warp."
             : explanation.problem());
  } else if (!explanation.thread()->traffic) {
    note("Addresses of this storage exceed 64 bits.");
  } else {
    follow(explanation);
    show_diagram(cached_->diagram);
  }
  ImGui::End();
}

}  // namespace loom::app
