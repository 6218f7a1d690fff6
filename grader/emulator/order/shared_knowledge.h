// How threads share what they know: `Knowledge` is a clock, or several, that can be joined with
// another. Threads that learned the same at the same time hold one object.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace tmaemu {

// What threads have released into one object, such as a flag or the phase of an mbarrier. Threads
// that acquire it share its knowledge; that is copied only where it changes after that.
template <class Knowledge>
class ReleasedKnowledge {
 public:
  using Known = std::shared_ptr<const Knowledge>;

  // All that is known to who released it is released, too.
  void join(const Known& other) {
    if (other == nullptr || other == last_joined_ || other == knowledge_) return;
    if (knowledge_ == nullptr) {
      knowledge_ = other;  // change() copies it, since others hold it
    } else {
      change().join(*other);
    }
    last_joined_ = other;
  }
  // What was released into the other object is released into this one.
  void join(const ReleasedKnowledge& other) {
    if (other.knowledge_ != nullptr) change().join(*other.knowledge_);
  }
  // Nothing is released; the memory is kept for what will be, where nobody else holds it.
  void clear() {
    last_joined_ = nullptr;
    if (knowledge_.use_count() == 1) {
      spare_ = std::const_pointer_cast<Knowledge>(std::move(knowledge_));
      spare_->clear();
    }
    knowledge_ = nullptr;
  }
  // All that was released; null where nothing was.
  const Known& all() const { return knowledge_; }

 protected:
  // Only the object holds its knowledge, or gets a copy of its own.
  Knowledge& change() {
    if (knowledge_ == nullptr || knowledge_.use_count() > 1) make_own();
    return const_cast<Knowledge&>(*knowledge_);  // made here, and nobody else holds it
  }
  // Whether that was the last that was joined: then it is known here.
  bool holds(const Known& other) const { return other == last_joined_ || other == knowledge_; }

 private:
  void make_own() {
    if (spare_ == nullptr) spare_ = std::make_shared<Knowledge>();
    if (knowledge_ != nullptr) *spare_ = *knowledge_;
    knowledge_ = std::move(spare_);
  }

  Known knowledge_;
  std::shared_ptr<Knowledge> spare_;  // empty, for what will be released
  Known last_joined_;                 // threads that know the same release one after another
};

// The last time that anybody learned anything. Many threads learn from one object, and most of them
// know the same before: what they know after it is made once.
template <class Knowledge, class Object = std::shared_ptr<const Knowledge>>
class LastLearned {
 public:
  using Known = std::shared_ptr<const Knowledge>;

  bool is(const Known& before, const Object& object) const {
    return before == before_ && object == object_;
  }
  // What is known after it, where it was that. Else learn(knowledge) adds to a copy of what was
  // known before.
  template <class Learn>
  const Known& after(const Known& before, const Object& object, Learn learn) {
    if (!is(before, object)) {
      auto after = std::make_shared<Knowledge>(*before);
      learn(*after);
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

// All that those know who synchronize, in a new object; `known_to` says what one of them knows.
template <class Knowledge, class Members, class KnownTo = std::identity>
std::shared_ptr<Knowledge> joined(const Members& members, const KnownTo& known_to = {}) {
  auto joined = std::make_shared<Knowledge>();
  const Knowledge* previous = nullptr;  // neighbors nearly always hold one object
  for (const auto& member : members) {
    const std::shared_ptr<const Knowledge>& known = known_to(member);
    if (known.get() != previous) joined->join(*known);
    previous = known.get();
  }
  return joined;
}

}  // namespace tmaemu
