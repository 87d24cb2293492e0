//===- TileRows.cpp - Rows of a dense tile --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/TileRows.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Tuning.h"

using namespace mlir;
using namespace clique;

bool clique::isOfCliques(const KernelInfo &info) {
  mp::Topology topology =
      cast<mp::MPGraphType>(info.kernel.getGraph().getType()).getTopology();
  return topology == mp::Topology::cliques ||
         topology == mp::Topology::causal_cliques;
}

/// Whether a tile is above all products of matrices, of both ends.
static bool hasProducts(const KernelInfo &info) {
  return !info.usesEdgeFeatures() &&
         llvm::any_of(info.messages, [](mp::MessageOp message) {
           EndpointDependence ends(message, /*knowsPositions=*/true);
           return llvm::any_of(
               message.getBody().getOps<mp::DotOp>(), [&](mp::DotOp dot) {
                 return ends.get(dot.getResult()) == Ends::edge &&
                        ends.get(dot.getLhs()) != Ends::edge &&
                        ends.get(dot.getRhs()) != Ends::edge;
               });
         });
}

/// Cliques of a batch are mostly small: their rows do not fill many register
/// blocks, of which fewer are padding where they are short.
int64_t clique::getTileRows(const KernelInfo &info, mp::CpuAttr cpu) {
  const bool hasMany = cpu.getRegisters() >= tuning::manyRegisters;
  if (isOfCliques(info))
    return hasMany ? tuning::shortTileRows : tuning::tileRows / 2;
  return hasMany && hasProducts(info) ? tuning::shortTileRows
                                      : tuning::tileRows;
}
