#include "app/life/scene/life_course.h"

#include <algorithm>

namespace loom::app {

void LifeCourse::forget() {
  first_ = 0;
  count_ = 0;
  found_.reset();
  confirmed_ = 0;
}

void LifeCourse::add(const CountedCensus& census, const Work& work) {
  const Sample now{census.generation, census.census.population, census.census.hash};
  if (count_ > 0) {
    const Sample& last = (*this)[count_ - 1];
    if (now.generation == last.generation && now.hash == last.hash) return;
    if (now.generation <= last.generation || work != work_) forget();
  }
  if (count_ == 0 || now.generation != (*this)[count_ - 1].generation + 1) unbroken_ = now.generation;
  work_ = work;
  // The newest that is the same: where all between were counted, its distance is the period.
  const auto same = [&](const Sample& one) {
    return one.hash == now.hash && one.population == now.population;
  };
  std::optional<Sample> earlier;
  for (std::size_t i = count_; i-- > 0 && !earlier;) {
    if (same((*this)[i])) earlier = (*this)[i];
  }
  if (!earlier) {
    found_.reset();
  } else {
    const std::uint64_t period = now.generation - earlier->generation;
    const bool divides = earlier->generation < unbroken_;
    if (found_ && found_->period == period && found_->divides == divides) {
      confirmed_ += 1;
    } else {
      const std::uint64_t first = (*this)[0].generation;
      found_ =
          Repeat{.period = period,
                 .since = earlier->generation,
                 .or_before = earlier->generation > 0 && earlier->generation == std::max(first, unbroken_),
                 .divides = divides};
      confirmed_ = 0;
    }
  }
  if (count_ == kKept) {
    first_ = (first_ + 1) % kKept;
    --count_;
  }
  samples_[(first_ + count_) % kKept] = now;
  ++count_;
}

std::optional<LifeCourse::Repeat> LifeCourse::repeat() const {
  if (!found_) return std::nullopt;
  const std::uint64_t enough = found_->divides ? 1 : std::min<std::uint64_t>(found_->period, kKept / 4);
  if (confirmed_ < enough) return std::nullopt;
  return found_;
}

}  // namespace loom::app
