// What graphs refuse, and what they say of it.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "emulator/runtime/state/executable_graph.h"
#include "emulator/runtime/state/graph_condition.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

// A graph of one node that runs its body if the condition says so.
struct IfGraph {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  GraphNode* node = nullptr;

  explicit IfGraph(unsigned initial = 0, unsigned flags = 0) {
    std::uint64_t handle = 0;
    EXPECT_EQ(create_condition(*graph, initial, flags, handle), Error::success);
    EXPECT_EQ(add_conditional(*graph, {}, handle, ConditionType::if_else, 1, node), Error::success);
  }
  Graph& body() const { return *node->inner.front(); }
};

struct Launched {
  Error error;
  std::string message;
};

Launched launched(const Graph& graph) {
  testing::internal::CaptureStderr();
  ExecutableGraph* executable = nullptr;
  Error error = instantiate(graph, 0, executable);
  if (error == Error::success) {
    error = launch(*executable, default_stream());
    Graphs::instance().executables.remove(executable);
  }
  return {error, testing::internal::GetCapturedStderr()};
}

TEST(ConditionalNodes, AValueThatNothingHasSetIsNamedWithWhatToDo) {
  const Launched result = launched(*IfGraph().graph);
  EXPECT_EQ(result.error, Error::success);
  EXPECT_NE(result.message.find("cudaGraphSetConditional"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("cudaGraphCondAssignDefault"), std::string::npos);
}

TEST(ConditionalNodes, ADefaultIsSetInEachLaunch) {
  const IfGraph made(1, 1);
  int runs = 0;
  made.body().add(NodeKind::kernel,
                  [&] {
                    ++runs;
                    return Error::success;
                  },
                  {});
  EXPECT_EQ(launched(*made.graph).message, "");
  EXPECT_EQ(launched(*made.graph).message, "");
  EXPECT_EQ(runs, 2);
}

TEST(ConditionalNodes, ABodyWithAHostFunctionIsNamedByItsType) {
  const IfGraph made;
  made.body().add(NodeKind::host, [] { return Error::success; }, {});
  const Launched result = launched(*made.graph);
  EXPECT_EQ(result.error, Error::not_supported);
  EXPECT_NE(result.message.find("a node of type 3 (cudaGraphNodeType)"), std::string::npos)
      << result.message;
}

TEST(ConditionalNodes, AHandleHasOneNode) {
  Graph graph;
  std::uint64_t handle = 0;
  GraphNode* node = nullptr;
  ASSERT_EQ(create_condition(graph, 0, 0, handle), Error::success);
  EXPECT_EQ(add_conditional(graph, {}, handle, ConditionType::if_else, 1, node), Error::success);
  EXPECT_EQ(add_conditional(graph, {}, handle, ConditionType::if_else, 1, node),
            Error::invalid_value);
}

TEST(ConditionalNodes, AHandleIsOfTheGraphOrOneAroundIt) {
  const IfGraph made;
  Graph other;
  std::uint64_t handle = 0;
  GraphNode* node = nullptr;
  ASSERT_EQ(create_condition(*made.graph, 0, 0, handle), Error::success);
  EXPECT_EQ(add_conditional(other, {}, handle, ConditionType::if_else, 1, node),
            Error::invalid_value);
  EXPECT_EQ(add_conditional(made.body(), {}, handle, ConditionType::if_else, 1, node),
            Error::success);
}

TEST(GraphHandles, AHandleOfWhatIsGoneIsNone) {
  auto graph = std::make_unique<Graph>();
  const Graph* const handle = graph.get();
  const GraphNode* const node = graph->add(NodeKind::empty, {}, {});
  EXPECT_EQ(Graphs::instance().find(handle), handle);
  EXPECT_EQ(Graphs::instance().find_node(node), node);
  graph.reset();
  EXPECT_EQ(Graphs::instance().find(handle), nullptr);
  EXPECT_EQ(Graphs::instance().find_node(node), nullptr);
}

TEST(GraphHandles, AGraphIsNotMovedIntoItself) {
  Graph* const graph = Graphs::instance().graphs.add(std::make_unique<Graph>());
  GraphNode* node = nullptr;
  EXPECT_EQ(add_child(*graph, {}, *graph, true, node), Error::invalid_value);
  EXPECT_TRUE(Graphs::instance().graphs.remove(graph));
}

}  // namespace
}  // namespace tmaemu::runtime
