// How threads share vector clocks: `Clock` is one, or several, that can be joined with another.
// Threads that acquired the same at the same time hold one object.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace tmaemu {

// What threads have released into one object, such as a flag or the phase of an mbarrier. Threads
// that acquire it share its clock, which is copied only where it changes after that.
template <class Clock>
class SharedRelease {
 public:
  using Known = std::shared_ptr<const Clock>;

  // All that is known to who released it is released, too.
  void join(const Known& other) {
    if (other == nullptr || other == last_joined_ || other == clock_) return;
    if (clock_ == nullptr) {
      clock_ = other;  // change() copies it, since others hold it
    } else {
      change().join(*other);
    }
    last_joined_ = other;
  }
  // What was released into the other object is released into this one.
  void join(const SharedRelease& other) {
    if (other.clock_ != nullptr) change().join(*other.clock_);
  }
  // Nothing is released; the memory is kept for what will be, where nobody else holds it.
  void clear() {
    last_joined_ = nullptr;
    if (clock_.use_count() == 1) {
      spare_ = std::const_pointer_cast<Clock>(std::move(clock_));
      spare_->clear();
    }
    clock_ = nullptr;
  }
  // All that was released; null where nothing was.
  const Known& all() const { return clock_; }

 protected:
  // Only the object holds its clock, or gets a copy of its own.
  Clock& change() {
    if (clock_ == nullptr || clock_.use_count() > 1) make_own();
    return const_cast<Clock&>(*clock_);  // made here, and nobody else holds it
  }
  // Whether that was the last that was joined: then it is known here.
  bool holds(const Known& other) const { return other == last_joined_ || other == clock_; }

 private:
  void make_own() {
    if (spare_ == nullptr) spare_ = std::make_shared<Clock>();
    if (clock_ != nullptr) *spare_ = *clock_;
    clock_ = std::move(spare_);
  }

  Known clock_;
  std::shared_ptr<Clock> spare_;  // empty, for what will be released
  Known last_joined_;             // threads that know the same release one after another
};

// The last acquire. Many threads acquire one object, and most of them have the same clock before:
// the clock that they have behind it is made once.
template <class Clock, class Object = std::shared_ptr<const Clock>>
class LastAcquired {
 public:
  using Known = std::shared_ptr<const Clock>;

  bool is(const Known& before, const Object& object) const {
    return before == before_ && object == object_;
  }
  // The clock behind it, where it was that acquire. Else join(clock) adds to a copy of the clock
  // before.
  template <class Join>
  const Known& after(const Known& before, const Object& object, Join join) {
    if (!is(before, object)) {
      auto after = std::make_shared<Clock>(*before);
      join(*after);
      before_ = before;
      object_ = object;
      after_ = std::move(after);
    }
    return after_;
  }

 private:
  Known before_;
  Object object_{};
  Known after_;
};

// The clocks of all who synchronize, joined in a new object; `known_to` says what one of them
// knows.
template <class Clock, class Members, class KnownTo = std::identity>
std::shared_ptr<Clock> joined(const Members& members, const KnownTo& known_to = {}) {
  auto joined = std::make_shared<Clock>();
  const Clock* previous = nullptr;  // neighbors nearly always hold one object
  for (const auto& member : members) {
    const std::shared_ptr<const Clock>& known = known_to(member);
    if (known.get() != previous) joined->join(*known);
    previous = known.get();
  }
  return joined;
}

}  // namespace tmaemu
