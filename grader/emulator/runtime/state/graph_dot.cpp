#include "emulator/runtime/state/graph_dot.h"

#include <fstream>
#include <map>
#include <string>

#include "emulator/runtime/state/node_parameters.h"

namespace tmaemu::runtime {
namespace {

std::string name_of(const GraphNode& node) {
  switch (node.kind) {
    case NodeKind::kernel: {
      const auto* kernel = parameters_of<KernelNode>(node);
      return kernel == nullptr ? "KERNEL" : "KERNEL\\n" + readable(kernel->function->name);
    }
    case NodeKind::memcpy:
      return "MEMCPY";
    case NodeKind::memset:
      return "MEMSET";
    case NodeKind::host:
      return "HOST";
    case NodeKind::graph:
      return "GRAPH";
    case NodeKind::empty:
      return "EMPTY";
    case NodeKind::wait_event:
      return "WAIT_EVENT";
    case NodeKind::event_record:
      return "EVENT_RECORD";
    case NodeKind::memory_allocation:
      return "MEM_ALLOC";
    case NodeKind::memory_free:
      return "MEM_FREE";
    case NodeKind::conditional:
      return "CONDITIONAL";
  }
  return "";
}

// `prefix`: of the graph's nodes' identifiers, and of its own.
void print(std::ostream& out, const Graph& graph, const std::string& prefix) {
  std::map<const GraphNode*, std::string> names;
  for (const auto& node : graph.nodes) {
    const std::string name = prefix + "_node_" + std::to_string(names.size());
    names[node.get()] = name;
    out << '"' << name << "\" [label=\"" << name_of(*node) << "\"]\n";
    for (std::size_t i = 0; i < node->inner.size(); ++i) {
      const std::string inner = name + "_graph_" + std::to_string(i);
      out << "subgraph \"cluster_" << inner << "\" {\nlabel=\"" << inner << "\"\n";
      print(out, *node->inner[i], inner);
      out << "}\n";
    }
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* before : node->dependencies) {
      out << '"' << names[before] << "\" -> \"" << names[node.get()] << "\"\n";
    }
  }
}

}  // namespace

Error print_dot(const void* handle, const char* path) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr || any_null(path)) return Error::invalid_value;
  std::ofstream out(path);
  out << "digraph graph_0 {\n";
  print(out, *graph, "graph_0");
  out << "}\n" << std::flush;
  return out ? Error::success : Error::operating_system;
}

}  // namespace tmaemu::runtime
