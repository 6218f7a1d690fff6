// Objects that a program holds by opaque handle: streams, events, modules, graphs.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

namespace tmaemu::runtime {

// The live objects of one kind. A handle is the object's address; one that was destroyed, or never
// was a handle, is recognized instead of followed.
template <class Object>
class Handles {
 public:
  Object* add(std::unique_ptr<Object> object) {
    Object* handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  // Null where `handle` is no live object.
  Object* find(const void* handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }
  bool remove(const void* handle) { return objects_.erase(handle) != 0; }
  // Hands the object to the caller: it has no handle any more. Null where `handle` is none.
  std::unique_ptr<Object> take(const void* handle) {
    auto node = objects_.extract(handle);
    return node.empty() ? nullptr : std::move(node.mapped());
  }
  template <class Action>
  void for_each(Action&& action) {
    for (const auto& [handle, object] : objects_) action(*object);
  }
  void clear() { objects_.clear(); }

 private:
  std::unordered_map<const void*, std::unique_ptr<Object>> objects_;
};

}  // namespace tmaemu::runtime
