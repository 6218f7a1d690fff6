// The linker of device code: cuLink*. One input makes one image, which a program then loads; what
// would have to be joined from several is refused by name.
#pragma once

#include <cstddef>
#include <string>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

// Values equal CUjitInputType's.
enum class LinkInput : int {
  machine_code = 0,
  ptx = 1,
  fat_binary = 2,
  object = 3,
  library = 4,
};

class Link {
 public:
  // Checks the input as a load of it does, and keeps a copy.
  Error add(LinkInput type, std::string bytes);
  Error add_file(LinkInput type, const char* path);
  // The image stands as long as the link.
  Error complete(void*& image, std::size_t& size);

 private:
  std::string image_;  // as a load of a module takes it
};

struct Links {
  static Links& instance();
  Handles<Link> links;
};

}  // namespace tmaemu::runtime
