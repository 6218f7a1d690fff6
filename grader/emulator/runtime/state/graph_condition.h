// Conditional nodes: which of its bodies one runs, and how often, says a value that kernels set.
// CUDA Programming Guide, "Conditional Graph Nodes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

// Values equal cudaGraphConditionalNodeType's.
enum class ConditionType : int { if_else = 0, while_loop = 1, switch_case = 2 };

// The value behind a cudaGraphConditionalHandle, which is the address of device memory of its own:
// there cudaGraphSetConditional stores the value, and behind it that it did.
class Condition {
 public:
  // Null where the device has no memory left. `initial`: the value at the begin of each launch;
  // null where it has none then.
  static std::shared_ptr<Condition> create(const std::uint32_t* initial);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  std::uint64_t handle() const { return address_; }
  void begin_launch() const;
  // The body that runs now; a number that no body has where none does.
  std::size_t chosen_body() const;
  bool repeats() const { return type_ == ConditionType::while_loop; }

 private:
  friend Error add_conditional(Graph& graph, std::vector<GraphNode*> dependencies,
                               std::uint64_t handle, ConditionType type, unsigned bodies,
                               GraphNode*& node);
  Condition() = default;

  std::uint64_t address_ = 0;
  bool has_initial_ = false;
  std::uint32_t initial_ = 0;
  ConditionType type_ = ConditionType::if_else;
  bool has_node_ = false;
};

// A handle for a conditional node of this graph or of one inside it.
Error create_condition(Graph& graph, std::uint32_t initial, unsigned flags, std::uint64_t& handle);

// A conditional node, with so many empty bodies inside.
Error add_conditional(Graph& graph, std::vector<GraphNode*> dependencies, std::uint64_t handle,
                      ConditionType type, unsigned bodies, GraphNode*& node);

}  // namespace tmaemu::runtime
