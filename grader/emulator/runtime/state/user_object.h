// User objects: what a program wants destroyed when neither it nor a graph needs it any more.
// CUDA Programming Guide, "CUDA User Objects".
#pragma once

#include <cstdint>
#include <unordered_map>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

struct UserObject {
  void (*destroy)(void*) = nullptr;
  void* data = nullptr;
  std::uint64_t references = 0;  // the program's, and those of graphs
};

struct UserObjects {
  static UserObjects& instance();
  Handles<UserObject> objects;
};

Error create_user_object(void* data, void (*destroy)(void*), unsigned references, unsigned flags,
                         UserObject*& object);
Error retain_user_object(const void* handle, unsigned count);
// The last reference takes the object with it.
Error release_user_object(const void* handle, unsigned count);

// The references that a graph holds, as long as it lives.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences& operator=(const UserReferences&) = delete;
  ~UserReferences();

  // `flags`: cudaGraphUserObjectMove takes the program's own.
  Error retain(const void* handle, unsigned count, unsigned flags);
  Error release(const void* handle, unsigned count);

 private:
  std::unordered_map<const void*, unsigned> counts_;
};

}  // namespace tmaemu::runtime
