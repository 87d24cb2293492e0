//===- Tuning.h - What was measured rather than derived ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all sizes that neither the target's description
// (dialect/IR/MPTargets.td) nor the mathematics determines, with their units
// and how each was found. "Not varied" means that the first value that worked
// well was kept.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_TUNING_H
#define CLIQUE_COMPILER_ANALYSIS_TUNING_H

#include <cstdint>

namespace clique::tuning {

// name = value;                  // unit: what it says; how it was found

//===----------------------------------------------------------------------===//
// Gradients (mp-differentiate)
//===----------------------------------------------------------------------===//

/// Terms of a linear map from which on its results are kept rather than
/// computed again: with 64, reading one takes as long as computing it, if
/// memory gives 8 bytes and the core 64 multiply-adds in a nanosecond; not
/// varied.
inline constexpr int64_t keptTerms = 256;

/// Terms from which on they are read where they are kept for another reason:
/// nothing is written for it. The backward pass of GAT, 64 terms, takes 0.88 of
/// the time on a million edges and 0.81 on Cora (AMD Zen 4, 2026-11-25).
inline constexpr int64_t reusedTerms = 32;

//===----------------------------------------------------------------------===//
// Sums over edges (mp-chunk-edge-sums)
//===----------------------------------------------------------------------===//

/// Bytes of the values of edges that are stored at a time: what is summed is
/// still near in the caches. The gradient of EdgeConv on a million edges took
/// on one thread a tenth more with 8 MiB, and 6 % less with 1 MiB, which has
/// threads meet twice as often.
inline constexpr int64_t edgeChunkBytes = 2 << 20;
/// The same on a GPU, which writes and reads as many in some 30 us, several
/// times what the launches and copies of a step take; not varied.
inline constexpr int64_t gpuEdgeChunkBytes = 64 << 20;

//===----------------------------------------------------------------------===//
// Kernels (mp-fuse)
//===----------------------------------------------------------------------===//

/// Values of the aggregations of a kernel, up to which others join it. 24
/// softmaxes of 16 elements by scores of their own took 51 s to compile as one
/// kernel in tiles and in rows, 27 as two and 20 as three or six; to run as two
/// 0.94 of the time of one in tiles, in rows on ogbn_arxiv as long.
inline constexpr int64_t mostAggregatedValues = 12;

//===----------------------------------------------------------------------===//
// Small source features (mp-pack-sources)
//===----------------------------------------------------------------------===//

/// Cache lines that an edge reads less, from which on small source features are
/// put into one row; and how many rows of a feature a line may have for it to
/// be among them: with more, a cache keeps most of them. The backward pass of
/// GAT on a million edges, 8 heads, two lines of nine, takes 0.9 of the time;
/// not varied.
inline constexpr int64_t leastLinesSaved = 2, fewestPerLine = 4;

//===----------------------------------------------------------------------===//
// Kernels on CPUs (mp-schedule-kernels)
//===----------------------------------------------------------------------===//

/// Rows of a block of sparse rows; not varied.
inline constexpr int64_t blockRows = 32;
/// Edges of a block of sparse rows, and of a part of a longer row: enough that
/// a block costs more than to hand it out (1024 were 1 % slower than 4096: sum,
/// GCN, GAT and attention on five graphs), and so few that a sum of them, one
/// after the other, keeps its error below 1e-5: of 1024 equal terms it
/// is 1.5e-5.
inline constexpr int64_t blockEdges = 512;
/// Edges of a block of sparse rows with updates, whose products are computed
/// for all rows that it may have: with 512 it had 14 rows of 32 where degrees
/// are 36, and the backward pass of GAT took 1.2 times as long.
inline constexpr int64_t updateEdges = 1024;
/// Rows of a block of updates: two register tiles of 12; not varied.
inline constexpr int64_t nodeRows = 24;
/// Elements up to which a sum over nodes is taken while they are computed: half
/// a first-level cache of f32; and parts of the nodes whose sums are taken by
/// themselves, work for many threads; neither was varied.
inline constexpr int64_t mostNodeSum = 8192, nodeSumParts = 512;
/// Blocks of a part, of graphs that have fewer than so many for each of the
/// parts above, and parts that are enough for the threads of a CPU: one block
/// to a part, whose sums are filled, read and added to others, the backward
/// pass of GCN on amazon_computers took 1.4 times as long, that of GATv2 on a
/// million edges 1.1 times; with 64 blocks it takes as long as with 16.
inline constexpr int64_t partBlocks = 16, leastSumParts = 64;
/// Elements of weights from which on blocks of updates are long: 128 KiB of
/// f32, which do not stay in a first-level cache; not varied.
inline constexpr int64_t largeWeights = 32768;
/// Times as many rows in a long block; not varied.
inline constexpr int64_t longBlocks = 4;
/// Rows of a dense tile: those of a register tile of 12 x 32 (CPUs of 32
/// registers of 512 bits) and of two of 6 x 16 (16 of 256 bits); not varied.
inline constexpr int64_t tileRows = 12;
/// Rows of a dense tile of cliques, or of products of both ends, where there
/// are so many registers. Attention on complete graphs of 128 to 2,048 nodes
/// takes as long with 12 rows, on 64 nodes 1.10 times as long; on cliques of 8
/// to 64 nodes 1.09 times, with 16 rows 1.11 times. Additive attention, of 8
/// heads of 8, on complete graphs takes 0.93 of the time with 12.
inline constexpr int64_t shortTileRows = 8, manyRegisters = 32;
/// Rows of a block of cliques that are enough for its scratch memory to be
/// chosen so that it fits the stack: those of larger cliques are divided, 64
/// where cliques have 64 to 128 nodes take 1.08 times as long (8 heads of 64).
inline constexpr int64_t leastCliqueRows = 192;
/// Bytes from the first to the last element of a register block's rows of a
/// feature up to which they are read where they lie, as much stack as scratch
/// memory of the same strides takes. With rows 16 KiB apart (32 heads of 128)
/// attention on 64 and 2,048 nodes takes 0.94 and 1.01 of the time that it
/// takes with copies, 2 KiB apart (8 heads of 64) 0.96 and 1.01, on cliques of
/// 16 to 64 nodes 0.73 to 0.95 (AMD Zen 5, 2026-11-30).
inline constexpr int64_t inPlaceBytes = 128 << 10;
/// Bytes from a source's row to the next up to which a tile reads rows that are
/// only summed where they lie, though rows of other heads lie between them, and
/// destinations of a block up to which it does so: each register block has them
/// from the second cache then. Attention on 64 nodes takes 0.97 of the time
/// that it takes with copies with 8 heads of 64, 0.93 with 4; with 128 rows in
/// place of 64, 0.95 to 1.03 on 128 nodes; with any number 1.02 on 4,096; with
/// rows 4 KiB apart (8 heads of 128) 1.09 (AMD Zen 5, 2026-11-30).
inline constexpr int64_t nearPitch = 2048, inPlaceRows = 64;
/// Columns of a dense tile: a word of its pattern (runtime/TileList.h).
inline constexpr int64_t tileColumns = 64;
/// Columns below which a tile is not cut for large edge values; not varied.
inline constexpr int64_t leastTileColumns = 16;
/// Columns of a part of a tile on the border of its pattern; not varied.
inline constexpr int64_t borderColumns = 32;
/// Rows of a block of dense tiles, at most; not varied.
inline constexpr int64_t tileBlockRows = 384;
/// Part of the second-level cache that a block's rows may take, and the values
/// of a chunk of edges; not varied. The largest edge value of a tile may take
/// all of it, as loops have few of its elements at a time: with a quarter,
/// gates of 256 and 384 features on a complete graph take 1.45 times as long,
/// GATv2 with 4 heads of 96 on it 1.27, on cliques of 16 1.5 times; with four
/// times as much GATv2 with a head of 384 takes 0.8, deviations of 384 features
/// 1.3 times as long (2026-11-30).
inline constexpr int64_t cacheParts = 4;
/// Edges whose softmax weights are computed together: two registers of 512 bits
/// of one head; not varied.
inline constexpr int64_t chunkEdges = 32;
/// Edges of a divided row that are summed before they join the others: bounds
/// the error of a long sum (of 8,450 edges with few different values 1e-5 with
/// 256). On rows of 200,000 edges at most 2 % slower than 256.
inline constexpr int64_t partEdges = 64;
/// Parts of a divided row whose states are combined before they join the
/// others, for the same reason.
inline constexpr int64_t groupChunks = 64;
/// Cache into which the sources of rows are fetched ahead, by the processor
/// that `rates` of #mp.cpu names. The second: fills of the first one wait for
/// each other and for loads; GAT on a million edges took 0.7 of the time that
/// it took with the first. Of Zen 5 the first: with the second, sums of 64
/// floats take 1.18 times as long on amazon_computers, 1.04 on ogbn_arxiv,
/// GATv2 1.04 and 0.99 (2026-11-29).
inline constexpr unsigned prefetchLevels[] = {/*zen4=*/2, /*zen5=*/1,
                                              /*zen3=*/2};
/// The same of the rows of tiles whose nodes may be mixed: of rows that are a
/// multiple of 2 KiB apart, a head's lines share few places of the first cache
/// (attention on mixed cliques of 20 to 40 nodes, 8 heads of 64, takes 1.12
/// times as long with the first).
inline constexpr unsigned mixedPrefetchLevel = 2;
/// Edges ahead of which sources are fetched, by the same: of 16, 24, 32 and 48,
/// 24 and 32 were best or as good for GAT, GATv2 and dot-product attention on
/// three graphs; into the first cache of Zen 5 of 8 to 48, 40: sums of 64
/// floats take 0.91 of the time of 32 on ogbn_arxiv, 1.03 on amazon_computers,
/// GAT 0.97 and 0.99.
inline constexpr int64_t prefetchEdges[] = {/*zen4=*/32, /*zen5=*/40,
                                            /*zen3=*/32};
/// Cache lines that an edge reads of its source from which on that is done 32
/// edges ahead everywhere, and not to the last element: the backward pass of
/// GATv2 on ogbn_arxiv, which reads 10, takes 1.12 times as long with either.
inline constexpr int64_t mostLinesAhead = 8;
inline constexpr int64_t leastEdgesAhead = 32;
/// Multiply-adds with weights that an edge's messages have from which on they
/// are computed for a chunk of edges. EdgeConv of 8 and 12 features in chunks
/// takes 1.9 and 1.3 times as long where rows have 3 or 4 edges, as long with
/// 13; 16 not varied.
inline constexpr int64_t leastEdgeProduct = 256;
/// The same where edges have exponentials and the like: a row waits for each of
/// them. Filters of 8 and 16 features made from 8 exponentials take 0.6 and 0.7
/// of the time with 13 edges, 0.96 and 1.14 with 3 or 4; of 16 made from 4 0.84
/// with 24.
inline constexpr int64_t leastProductOfFunctions = 64;
/// The same where a monoid of the spec takes the messages in, whose states are
/// then loaded and stored for each row of a chunk: maxima with their winners
/// of 32 features are a fifth slower in chunks, of 64 as fast, of 128 2.3 times
/// as fast (EdgeConv on Cora).
inline constexpr int64_t leastMonoidProduct = 4096;
/// Edges of such a chunk: rows of whole register tiles, whose values of 64
/// elements fit the first cache; not varied.
inline constexpr int64_t productEdges = 48;
/// Rows of a block of such edges: with degrees of 4 it has as many edges as a
/// block may; not varied.
inline constexpr int64_t edgeBlockRows = 256;
/// Rows of a block of edges by type, at least and at most; not varied.
inline constexpr int64_t leastTypedRows = 128, mostTypedRows = 4096;
/// Destinations whose sums make one product with a type's weights: few, as
/// types often have few in a block, but enough that each weight that is loaded
/// serves several; not varied.
inline constexpr int64_t typedGroups = 8;
/// Edges of such a block, at most: weights come from memory once per block; not
/// varied.
inline constexpr int64_t mostTypedEdges = 65536;
/// Such blocks for each core of the target, at least; not varied.
inline constexpr int64_t jobsPerCore = 2;
/// Dense tiles of rows of a block, at least: it lays its sources out anew,
/// which some tiles must be worth; not varied.
inline constexpr int64_t leastBlockTiles = 4;
/// Sources of a row up to which all heads of a block come before the next
/// block: they stay in a cache, and their pages at hand; not varied.
inline constexpr int64_t fewSources = 512;
/// Cache lines of a feature that are fetched ahead, at most: hardware
/// recognises a longer stream; not varied.
inline constexpr int64_t prefetchLines = 16;
/// Cache lines of the rows that a block of a small clique reads of a node from
/// which on they are fetched between the weights of a tile and its sums too:
/// attention on cliques of 32 nodes took 1.09 and 1.05 times as long with 3 and
/// 6 lines, 0.95 and 0.98 with 12 and 24.
inline constexpr int64_t leastLinesApart = 12;
/// Rows of a block up to which all that the next block reads of its own is
/// fetched row by row, while the heads of this one are computed, before each
/// head fetches the next one's part: of one head alone the lines of few rows
/// are too far apart for memory to give them in time. Attention on 40,000 nodes
/// in cliques of 8, 12, 16 and 20, 8 heads of 64, takes 0.74, 0.85, 0.69 and
/// 0.93 of the time, 8 heads of 16 0.65, 0.75, 0.78 and 0.84; on cliques of 24
/// and 32 nodes it would take 1.02 to 1.05 times as long (2026-11-30).
inline constexpr int64_t mostWholeRows = 23;
/// Bytes of the features that a kernel reads of its nodes from which on that is
/// done, half of a usual last cache: what is in it comes as fast without (8
/// heads of 64 on cliques of 8 to 20 nodes take 0.88 to 0.95 of the time).
inline constexpr int64_t leastFarBytes = 16 << 20;
/// Steps of a product between two fetches of rows of the next block; not
/// varied.
inline constexpr int64_t stepsBetweenFetches = 16;
/// Scores of one vector of a chunk: one register of 512 bits; and features of
/// one edge that a vector takes, at most; not varied.
inline constexpr int64_t vectorScores = 16, longestScores = 64;
/// Elements of a product with a type's weights from which on it is worth to
/// sort edges by type; not varied.
inline constexpr int64_t leastTypedProduct = 256;
/// Dense tiles of a group: a long row's sums have 64 terms in a tile and 64 in
/// a group, and four times as many over a million of sources. Not a matter of
/// speed.
inline constexpr int64_t groupTiles = 64;

//===----------------------------------------------------------------------===//
// Loops, vectors and buffers of CPUs (compiler/Codegen)
//===----------------------------------------------------------------------===//

/// Ops of an elementwise body up to which it is computed again for each use
/// rather than stored; not varied.
inline constexpr int64_t cheapOps = 2;
/// Elements of a value between two functions such as exp from which on it is
/// stored, so that chains of dependent steps are shorter, and up to which it
/// fits the first cache beside others: scores of 12 x 64 pairs took 0.88 of the
/// time; not varied.
inline constexpr int64_t leastChainElements = 256, mostChainElements = 4096;
/// Ops of an elementwise body that a product's register tile takes in: its
/// accumulators leave few registers; not varied.
inline constexpr int64_t finisherOps = 4;
/// Register tiles of rows from which on the columns that they share are made
/// contiguous: products of 512 x 512 x 2048 took 0.61 to 0.84 of the time with
/// 8; fewer were not tried.
inline constexpr int64_t packedTiles = 8;
/// Elements of a block of the result of a sum of a whole tensor, 16 KiB of f32,
/// and rows at least; not varied.
inline constexpr int64_t sumElements = 4096, leastSumRows = 16;
/// Elements from which on what is computed of weights element by element has a
/// function of its own, as above: for maps of bf16 of 64 x 64, 128 x 128 and
/// 256 x 256 and 24 nodes, 2, 6 and 23 us where 65,536 took 4, 13 and 54; fewer
/// were not tried.
inline constexpr int64_t leastWeights = 512;
/// Elements of the result of a product up to which its terms are divided; of
/// larger ones blocks have so many rows at most, and columns: those of one
/// factor, for 256 nodes, are half a second-level cache of 1 MiB; not varied.
inline constexpr int64_t mostPartElements = 65536, mostProductRows = 64,
                         leastSumColumns = 128, mostSumColumns = 512;
/// Terms of a part of such a sum, at least; and how many times as large as its
/// result the operands of a part of a product are, at least.
inline constexpr int64_t leastSumTerms = 512, sumParts = 16;
/// Terms of a block of such a product: 64 x 64 with 65,536 terms took 8.1 ms
/// with 16 or 32, 8.9 with 64 or 128, 9.2 with 512; 256 x 256 with 32,768 terms
/// 72, 76 and 92 ms. Rows and columns of a block up to which that is so: their
/// factors stay in the first cache.
inline constexpr int64_t productSumTerms = 32, fewSumFactors = 384;
/// Elements of a buffer up to which it is copied through registers; not varied.
inline constexpr int64_t vectorCopyElements = 256;
/// Vectors of 64 elements up to which a copy is unrolled: with 1, suites of 12
/// to 30 layers had at most 0.15 % fewer instructions.
inline constexpr int64_t unrolledCopies = 4;
/// Elements of a vector up to which rows are reduced by halves: as many as 32
/// registers of 512 bits have of f32; not varied.
inline constexpr int64_t halvedElements = 512;
/// Steps, and ops of all of them, up to which a loop is unrolled before LLVM
/// sees it: in a kernel of twelve aggregations as dense tiles, whose code is
/// the same with and without, compilation takes 0.92 of the time; 2 steps 0.99,
/// 256 ops 0.94, of code that is 7 % longer.
inline constexpr uint64_t unrolledSteps = 4, unrolledOps = 64;
/// Terms of a block of a product over features, of which it has more than two:
/// bounds the error of a long sum; not a matter of speed.
inline constexpr int64_t productTerms = 256;
/// Bytes of a buffer of static size up to which it is on the stack: the rows of
/// a block of tiles with features of 64. From the allocator, three such buffers
/// a block took 7 % of the time of attention on cliques of 32 nodes.
inline constexpr int64_t stackBufferBytes = 128 << 10;

//===----------------------------------------------------------------------===//
// Kernels on GPUs (mp-schedule-kernels)
//===----------------------------------------------------------------------===//

/// Threads of a tile, or of most blocks of nodes: four warps, each with the 16
/// rows of matrix instructions.
inline constexpr int64_t gpuBlockThreads = 128;
/// Terms that a thread adds of a sum over nodes, whose result has so many
/// elements at most; sums of one node that threads have apart; and how often
/// sums are divided: of 64^3 times as many, one thread adds what is left.
inline constexpr int64_t gpuSumTerms = 64, gpuSumElements = 65536,
                         gpuSumKept = 1024;
inline constexpr int gpuSumLevels = 3;
/// Rows of a tile, and of a block of nodes, at most.
inline constexpr int64_t gpuTileRows = 64;
/// Part of a thread's registers that an edge value of a tile may take: a
/// quarter, with 255 of them twice what the scores of a tile of 64 x 64 do; not
/// varied.
inline constexpr int64_t gpuRegisterParts = 4;
/// Elements of an edge's value that depends on both ends, at most: with more
/// there are no tiles, which the threads of a block could not hold; not varied.
inline constexpr int64_t gpuEdgeElements = 16;
/// Elements of a row that a thread has, at least: an access of 16 bytes of f32.
inline constexpr int64_t gpuThreadElements = 4;
/// Threads of a row, at least: a warp takes as long as the longest of its rows,
/// eight are enough; not varied.
inline constexpr int64_t gpuLeastRowThreads = 4;
/// Edges of a row that wait for each other: longer rows are divided; not
/// varied.
inline constexpr int64_t gpuRowEdges = 128;
/// Elements of a destination's states up to which the tiles of a long row are
/// summed in groups: a thread holds two sets of them; not varied.
inline constexpr int64_t gpuGroupElements = 16;
/// Elements per thread of the largest value of an update, with matrix
/// instructions and without; not varied.
inline constexpr int64_t gpuProductElements = 64, gpuUpdateElements = 32;
/// Rows of a block of updates, at least, with matrix instructions, which have
/// 16, and without.
inline constexpr int64_t gpuLeastProductRows = 16, gpuLeastRows = 4;

//===----------------------------------------------------------------------===//
// Registers and shared memory of GPUs (clique-distribute-to-threads)
//===----------------------------------------------------------------------===//

/// Points of a reduction that a thread unrolls, at most; not varied.
inline constexpr int64_t gpuThreadPoints = 64;
/// Registers up to which the steps of a polynomial are taken for all elements
/// at once; not varied.
inline constexpr int64_t gpuFewRegisters = 8;

/// Registers of a thread beside those of products on tensor cores: attention
/// with heads of 64 does without spills with 72, for three blocks on a
/// multiprocessor.
inline constexpr int64_t gpuOtherRegisters = 72;
/// Registers of products from which on the others are bounded: kernels with
/// fewer have more blocks when left alone, or spill.
inline constexpr int64_t gpuManyRegisters = 96;

/// Bytes that each block takes of a multiprocessor beside what it asks for
/// (CUDA C++ Programming Guide).
inline constexpr int64_t gpuBlockShare = 1024;
/// Bytes of a block up to which tiles are copied to two buffers by turns: what
/// two blocks of sm_80 have, of 164 KiB; no more was measured on others.
inline constexpr int64_t gpuStagedBytes = 81 * 1024;

} // namespace clique::tuning
#endif // CLIQUE_COMPILER_ANALYSIS_TUNING_H
