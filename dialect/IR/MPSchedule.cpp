//===- MPSchedule.cpp - How a kernel's work is divided --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of schedules and of expected times.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique::mp;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyBlockThreads(EmitError emitError, int64_t threads) {
  if (threads == 0 || (threads > 0 && llvm::isPowerOf2_64(threads)))
    return success();
  return emitError() << threads
                     << " threads compute a block: expected 0 or a power of "
                        "two";
}

LogicalResult NodeBlocksAttr::verify(EmitError emitError, int64_t rows,
                                     int64_t threads) {
  // C1
  if (rows < 1)
    return emitError() << "blocks of " << rows << " nodes: expected at least 1";
  return verifyBlockThreads(emitError, threads);
}

LogicalResult RowBlocksAttr::verify(EmitError emitError, int64_t rows,
                                    int64_t edges, int64_t chunk, int64_t part,
                                    int64_t prefetch, int64_t threads,
                                    int64_t longest) {
  // C1
  if (rows < 1 || edges < 1)
    return emitError() << "blocks of " << rows << " rows and " << edges
                       << " edges: expected at least 1 of both";
  // C2
  if (chunk < 0 || (chunk > 0 && !llvm::isPowerOf2_64(chunk)))
    return emitError() << "chunks of " << chunk
                       << " edges: expected 0 or a power of two";
  if (part < 0 || prefetch < 0)
    return emitError() << "parts of " << part << " edges, fetched " << prefetch
                       << " edges ahead: expected 0 or more";
  // C3
  if (longest < 0 || longest > edges)
    return emitError() << "rows of at most " << longest
                       << " edges in blocks of " << edges << ": expected 0 to "
                       << edges;
  return verifyBlockThreads(emitError, threads);
}

LogicalResult TypedBlocksAttr::verify(EmitError emitError, int64_t rows,
                                      int64_t step, int64_t groups,
                                      RowBlocksAttr) {
  // C1
  if (step < 1 || rows < step || rows % step != 0 || groups < 1)
    return emitError() << "blocks of " << rows << " rows in steps of " << step
                       << ", products of " << groups
                       << " destinations: expected a multiple of the step, and "
                          "at least 1 destination";
  return success();
}

LogicalResult EdgeBlocksAttr::verify(EmitError emitError, int64_t rows,
                                     int64_t step, int64_t edges, int64_t chunk,
                                     int64_t part, int64_t prefetch) {
  // C1
  if (step < 1 || rows < step || rows % step != 0 || edges < 1)
    return emitError() << "blocks of " << rows << " rows in steps of " << step
                       << ", about " << edges
                       << " edges: expected a multiple of the step, and at "
                          "least 1 edge";
  // C2: the scores of a chunk are whole vectors
  if (chunk < 1 || chunk % 16 != 0)
    return emitError() << "chunks of " << chunk
                       << " edges: expected a positive multiple of 16";
  if (part < 0 || prefetch < 0)
    return emitError() << "parts of " << part << " edges, fetched " << prefetch
                       << " edges ahead: expected 0 or more";
  return success();
}

LogicalResult TilesAttr::verify(EmitError emitError, int64_t rows,
                                int64_t tileRows, int64_t columns,
                                int64_t border, int64_t threads,
                                int64_t prefetch, int64_t prefetchTiles,
                                int64_t inOrder) {
  // C1
  if (tileRows < 1 || rows < tileRows || rows % tileRows != 0)
    return emitError() << "tiles of " << tileRows << " rows in blocks of "
                       << rows << ": expected a divisor of the block's rows";
  // C2
  if (columns < 1 || columns > 64)
    return emitError() << "tiles of " << columns
                       << " columns: expected 1 to 64, as a row of a tile is a "
                          "word of bits";
  if (border < 1 || columns % border != 0)
    return emitError() << "parts of " << border << " columns in tiles of "
                       << columns << ": expected a divisor";
  // C3
  for (auto [ahead, what] :
       {std::pair(prefetch, "blocks"), std::pair(prefetchTiles, "tiles")})
    if (ahead < 0 || ahead > 1 || (ahead && threads))
      return emitError() << "rows fetched " << ahead << " " << what
                         << " ahead: expected 0, or 1 where one thread "
                            "computes a block";
  if (inOrder < 0 || inOrder > 1 || (inOrder && threads))
    return emitError() << "nodes taken in_order = " << inOrder
                       << ": expected 0, or 1 where one thread computes a "
                          "block";
  return verifyBlockThreads(emitError, threads);
}

LogicalResult CostAttr::verify(EmitError emitError, int64_t edge,
                               int64_t farEdge, int64_t sourceBytes,
                               int64_t row, int64_t pair, int64_t maskedPair,
                               int64_t tileEdge, int64_t tileRows,
                               int64_t registerBlock, int64_t evenSaving) {
  // C1
  for (int64_t time : {edge, farEdge, row, pair, maskedPair, tileEdge,
                       registerBlock, evenSaving})
    if (time < 0)
      return emitError() << "a time of " << time
                         << " picoseconds: expected 0 or more";
  if (evenSaving > maskedPair)
    return emitError() << evenSaving << " picoseconds are saved of "
                       << maskedPair << ": expected no more than all";
  // C2
  if (sourceBytes < 0)
    return emitError() << "features of " << sourceBytes
                       << " bytes: expected 0 or more";
  if (tileRows < 1)
    return emitError() << "tiles of " << tileRows
                       << " destinations: expected 1 or more";
  return success();
}
