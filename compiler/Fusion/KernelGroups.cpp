//===- KernelGroups.cpp - Which ops run as one kernel ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups grow greedily: aggregations first, then the updates after them. Each
// step is checked against the order of the block.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/KernelGroups.h"
#include "compiler/Analysis/Tuning.h"

using namespace mlir;
using namespace clique;
using mp::AggregateOp;
using mp::MessageOp;
using mp::ScanOp;
using mp::UpdateOp;

KernelGroups::KernelGroups(Block &block) : order(block) {
  addAggregates(block);
  addStoredMessages(block);
  mergeEdgeGroups();
  addUpdates(block);
  pullUpdatesIntoEdgeGroups(block);
  addScans(block);
  llvm::erase_if(groups, [](auto &group) { return group.ops.empty(); });
}

unsigned KernelGroups::addGroup(Value graph, Ops ops) {
  for (Operation *op : ops)
    groupOf[op] = groups.size();
  groups.push_back({std::move(ops), graph});
  return groups.size() - 1;
}

//===----------------------------------------------------------------------===//
// What may run together
//===----------------------------------------------------------------------===//

/// Values flow through operands as a kernel lets them: from messages to
/// aggregations, from those and from updates to updates. A message needs a
/// value for all nodes, and a region uses a value from outside for all of its
/// points.
static bool flowsInside(Operation *producer, Operation *consumer) {
  bool inRegion = false;
  consumer->walk([&](Operation *inner) {
    if (inner != consumer)
      for (Value operand : inner->getOperands())
        inRegion |= operand.getDefiningOp() == producer;
  });
  if (inRegion)
    return false;
  if (isa<AggregateOp, ScanOp>(consumer))
    return isa<MessageOp>(producer);
  return isa<UpdateOp>(consumer) && isa<AggregateOp, UpdateOp>(producer);
}

bool KernelGroups::canBeOneKernel(const Ops &ops) const {
  SmallVector<Operation *> worklist;
  DenseSet<Operation *> visited;
  auto visit = [&](Operation *op) {
    if (visited.insert(op).second)
      worklist.push_back(op);
  };
  for (Operation *op : ops)
    for (Operation *follower : order.getFollowers(op)) {
      if (!ops.contains(follower))
        visit(follower);
      else if (!flowsInside(op, follower))
        return false;
    }
  // Whatever leaves must not come back, neither directly nor through another
  // kernel, of which all parts run at once.
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    auto it = groupOf.find(op);
    if (it != groupOf.end())
      for (Operation *member : groups[it->second].ops)
        if (!ops.contains(member))
          visit(member);
    for (Operation *follower : order.getFollowers(op)) {
      if (ops.contains(follower))
        return false;
      visit(follower);
    }
  }
  return true;
}

bool KernelGroups::tryJoin(unsigned group, const Ops &ops) {
  Ops joined = groups[group].ops;
  joined.insert_range(ops);
  if (!canBeOneKernel(joined))
    return false;
  for (Operation *op : ops)
    groupOf[op] = group;
  groups[group].ops = std::move(joined);
  return true;
}

//===----------------------------------------------------------------------===//
// Kernels over edges
//===----------------------------------------------------------------------===//

void KernelGroups::addAggregates(Block &block) {
  for (auto aggregate : block.getOps<AggregateOp>()) {
    Ops ops;
    ops.insert(aggregate);
    addGroup(aggregate.getGraph(), ops);
  }
}

/// Somebody but aggregations and scans on the message's graph uses its values,
/// so that they are stored.
static bool isStored(MessageOp message) {
  return llvm::any_of(message->getUsers(), [&](Operation *user) {
    return !isa<AggregateOp, ScanOp>(user) ||
           user->getBlock() != message->getBlock() ||
           user->getOperand(0) != message.getGraph();
  });
}

void KernelGroups::addScans(Block &block) {
  for (auto scan : block.getOps<ScanOp>()) {
    Ops ops;
    ops.insert(scan);
    addGroup(scan.getGraph(), ops);
  }
}

void KernelGroups::addStoredMessages(Block &block) {
  for (auto message : block.getOps<MessageOp>()) {
    if (!isStored(message))
      continue;
    Ops ops;
    ops.insert(message);
    bool joined = llvm::any_of(message->getUsers(), [&](Operation *user) {
      return isa<AggregateOp>(user) && user->getBlock() == &block &&
             groups[groupOf[user]].graph == message.getGraph() &&
             tryJoin(groupOf[user], ops);
    });
    if (!joined)
      addGroup(message.getGraph(), ops);
  }
}

/// The messages that a group computes, its own or for its aggregations.
static SetVector<MessageOp> getMessages(const KernelGroup &group) {
  SetVector<MessageOp> messages;
  for (Operation *op : group.ops) {
    if (auto message = dyn_cast<MessageOp>(op))
      messages.insert(message);
    if (auto aggregate = dyn_cast<AggregateOp>(op))
      for (Value edges : aggregate->getOperands().drop_front())
        messages.insert(edges.getDefiningOp<MessageOp>());
  }
  return messages;
}

bool KernelGroups::profitFromSharing(const KernelGroup &a,
                                     const KernelGroup &b) const {
  SetVector<Value> inputs;
  for (MessageOp message : getMessages(a))
    inputs.insert_range(message->getOperands().drop_front());
  for (MessageOp message : getMessages(b))
    for (Value operand : message->getOperands().drop_front())
      if (inputs.contains(operand))
        return true;
  Ops updates;
  for (Operation *op : a.ops)
    for (Operation *user : op->getUsers())
      if (isa<UpdateOp>(user))
        updates.insert(user);
  return llvm::any_of(b.ops, [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return updates.contains(user);
    });
  });
}

static int64_t countAggregatedValues(const KernelGroup &group) {
  int64_t count = 0;
  for (Operation *op : group.ops)
    if (auto aggregate = dyn_cast<AggregateOp>(op))
      count += std::max<int64_t>(aggregate.getValues().size(), 1);
  return count;
}

/// What compiling a kernel takes grows faster than what it holds, and with
/// this much to share another pass over the edges costs little.
static bool isLarge(const KernelGroup &a, const KernelGroup &b) {
  return countAggregatedValues(a) + countAggregatedValues(b) >
         tuning::mostAggregatedValues;
}

void KernelGroups::mergeEdgeGroups() {
  for (unsigned i = 0; i < groups.size(); ++i)
    for (unsigned j = 0; j < i; ++j) {
      bool related = groups[j].graph == groups[i].graph &&
                     profitFromSharing(groups[j], groups[i]) &&
                     !isLarge(groups[j], groups[i]);
      if (related && tryJoin(j, groups[i].ops)) {
        groups[i].ops.clear();
        break;
      }
    }
  // Merged groups leave gaps; number the others anew.
  llvm::erase_if(groups, [](auto &group) { return group.ops.empty(); });
  for (auto [index, group] : llvm::enumerate(groups))
    for (Operation *op : group.ops)
      groupOf[op] = index;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

bool KernelGroups::haveSameNodes(UpdateOp update,
                                 const KernelGroup &group) const {
  SetVector<Value> nodes;
  for (Operation *op : group.ops) {
    nodes.insert_range(op->getOperands());
    nodes.insert_range(op->getResults());
  }
  return llvm::any_of(update.getNodes(),
                      [&](Value node) { return nodes.contains(node); });
}

void KernelGroups::addUpdates(Block &block) {
  for (auto update : block.getOps<UpdateOp>()) {
    // Those that make its operands, and those over the same nodes; the last one
    // has the most of its operands at hand.
    SmallVector<unsigned> candidates;
    for (unsigned index = 0; index < groups.size(); ++index) {
      const KernelGroup &group = groups[index];
      bool producer = llvm::any_of(update.getNodes(), [&](Value node) {
        return group.ops.contains(node.getDefiningOp());
      });
      if (producer || (!group.graph && haveSameNodes(update, group)))
        candidates.push_back(index);
    }
    // Edges before nodes: what follows an aggregation is cheapest there.
    llvm::sort(candidates, [&](unsigned a, unsigned b) {
      bool aHasEdges = bool(groups[a].graph), bHasEdges = bool(groups[b].graph);
      return aHasEdges != bHasEdges ? aHasEdges : a > b;
    });
    Ops ops;
    ops.insert(update);
    bool joined = llvm::any_of(candidates, [&](unsigned candidate) {
      return tryJoin(candidate, ops);
    });
    if (!joined)
      addGroup(Value(), ops);
  }
}

void KernelGroups::pullUpdatesIntoEdgeGroups(Block &block) {
  SmallVector<UpdateOp> updates(block.getOps<UpdateOp>());
  for (UpdateOp update : llvm::reverse(updates)) {
    unsigned from = groupOf[update];
    if (groups[from].graph || update->use_empty())
      continue;
    unsigned to = groupOf.lookup(*update->user_begin());
    bool pull = llvm::all_of(update->getUsers(), [&](Operation *user) {
      return isa<UpdateOp>(user) && user->getBlock() == &block &&
             groupOf[user] == to;
    });
    if (!pull || !groups[to].graph)
      continue;
    Ops ops;
    ops.insert(update);
    groups[from].ops.remove(update);
    if (tryJoin(to, ops))
      continue;
    groups[from].ops.insert(update);
  }
}
