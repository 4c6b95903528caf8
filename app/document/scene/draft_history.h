#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace loom::app {

/// Undo and redo steps of a draft.
template <typename Draft>
class DraftHistory {
 public:
  static constexpr std::size_t kMaxDrafts = 200;
  /// Adds an undo step if `after` differs from `before`, and clears the redo steps.
  void note(const Draft& before, const Draft& after) {
    if (before == after) return;
    if (undo_.size() == kMaxDrafts) undo_.erase(undo_.begin());
    undo_.push_back(before);
    redo_.clear();
  }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo(Draft& draft) { move(undo_, redo_, draft); }
  void redo(Draft& draft) { move(redo_, undo_, draft); }

 private:
  static void move(std::vector<Draft>& from, std::vector<Draft>& to, Draft& draft) {
    if (from.empty()) return;
    to.push_back(std::exchange(draft, std::move(from.back())));
    from.pop_back();
  }

  std::vector<Draft> undo_;
  std::vector<Draft> redo_;
};

}  // namespace loom::app
