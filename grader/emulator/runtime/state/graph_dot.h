// Graphs as pictures: the text that Graphviz draws.
#pragma once

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

// Writes the graph, and the graphs inside its nodes, to a file: each node with its kind, a kernel's
// with its name.
Error print_dot(const void* graph, const char* path);

}  // namespace tmaemu::runtime
