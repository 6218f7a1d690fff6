#include "emulator/runtime/state/user_object.h"

#include <climits>
#include <memory>

#include "emulator/runtime/state/caller.h"

namespace tmaemu::runtime {
namespace {

constexpr unsigned no_destructor_sync = 1;  // cudaUserObjectNoDestructorSync
constexpr unsigned move_references = 1;     // cudaGraphUserObjectMove

bool is_count(unsigned count) {
  return count != 0 && count <= INT_MAX;
}

}  // namespace

UserObjects& UserObjects::instance() {
  static auto* objects = new UserObjects;
  return *objects;
}

Error create_user_object(void* data, void (*destroy)(void*), unsigned references, unsigned flags,
                         UserObject*& object) {
  if (destroy == nullptr || !is_count(references) || flags != no_destructor_sync) {
    return Error::invalid_value;
  }
  object = UserObjects::instance().objects.add(
      std::make_unique<UserObject>(UserObject{destroy, data, references}));
  return Error::success;
}

Error retain_user_object(const void* handle, unsigned count) {
  UserObject* object = UserObjects::instance().objects.find(handle);
  if (object == nullptr || !is_count(count)) return Error::invalid_value;
  object->references += count;
  return Error::success;
}

Error release_user_object(const void* handle, unsigned count) {
  UserObject* object = UserObjects::instance().objects.find(handle);
  if (object == nullptr || !is_count(count) || count > object->references) {
    return Error::invalid_value;
  }
  object->references -= count;
  if (object->references != 0) return Error::success;
  const std::unique_ptr<UserObject> last = UserObjects::instance().objects.take(handle);
  run_host_function([&] {
    last->destroy(last->data);
    return Error::success;
  });
  return Error::success;
}

UserReferences::UserReferences(const UserReferences& other) : counts_(other.counts_) {
  for (const auto& [handle, count] : counts_) retain_user_object(handle, count);
}

UserReferences::~UserReferences() {
  for (const auto& [handle, count] : counts_) release_user_object(handle, count);
}

Error UserReferences::retain(const void* handle, unsigned count, unsigned flags) {
  if ((flags & ~move_references) != 0) return Error::invalid_value;
  const UserObject* object = UserObjects::instance().objects.find(handle);
  if (object == nullptr || !is_count(count)) return Error::invalid_value;
  const bool moves = (flags & move_references) != 0;
  if (moves && count > object->references) return Error::invalid_value;
  if (!moves) retain_user_object(handle, count);
  counts_[handle] += count;
  return Error::success;
}

Error UserReferences::release(const void* handle, unsigned count) {
  const auto found = counts_.find(handle);
  if (found == counts_.end() || !is_count(count) || count > found->second) {
    return Error::invalid_value;
  }
  found->second -= count;
  if (found->second == 0) counts_.erase(found);
  return release_user_object(handle, count);
}

}  // namespace tmaemu::runtime
