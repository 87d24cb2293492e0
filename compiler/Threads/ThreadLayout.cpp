//===- ThreadLayout.cpp - Which thread holds which element ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/ThreadLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique;

ThreadLayout::ThreadLayout(Dims places) : dims(std::move(places)) {
  for (const auto &bits : dims)
    for (const IndexBit &bit : bits)
      if (!bit.isThread)
        numRegisterBits = std::max(numRegisterBits, bit.number + 1);
}

unsigned ThreadLayout::getThreadMask(unsigned dim) const {
  unsigned mask = 0;
  for (const IndexBit &bit : dims[dim])
    if (bit.isThread)
      mask |= 1u << bit.number;
  return mask;
}

unsigned ThreadLayout::getThreadMask() const {
  unsigned mask = 0;
  for (unsigned dim = 0; dim < getRank(); ++dim)
    mask |= getThreadMask(dim);
  return mask;
}

/// The register bits of `dims`, in rising order.
static SmallVector<int> collectRegisterBits(const ThreadLayout &layout,
                                            ArrayRef<unsigned> dims) {
  SmallVector<int> numbers;
  for (unsigned dim : dims)
    append_range(numbers, layout.getRegisterBits(dim));
  llvm::sort(numbers);
  return numbers;
}

ThreadLayout ThreadLayout::project(ArrayRef<unsigned> kept) const {
  SmallVector<int> numbers = collectRegisterBits(*this, kept);
  Dims places;
  for (unsigned dim : kept) {
    places.push_back(dims[dim]);
    for (IndexBit &bit : places.back())
      if (!bit.isThread)
        bit.number = int(llvm::find(numbers, bit.number) - numbers.begin());
  }
  return ThreadLayout(std::move(places));
}

int64_t ThreadLayout::projectRegister(ArrayRef<unsigned> kept,
                                      int64_t number) const {
  int64_t projected = 0;
  for (auto [place, bit] : enumerate(collectRegisterBits(*this, kept)))
    projected |= (number >> bit & 1) << place;
  return projected;
}

int64_t ThreadLayout::getOffset(unsigned dim, int64_t number) const {
  int64_t offset = 0;
  for (auto [place, bit] : enumerate(dims[dim]))
    if (!bit.isThread)
      offset |= (number >> bit.number & 1) << place;
  return offset;
}

SmallVector<int> ThreadLayout::getRegisterBits(unsigned dim) const {
  SmallVector<int> numbers;
  for (const IndexBit &bit : dims[dim])
    if (!bit.isThread)
      numbers.push_back(bit.number);
  return numbers;
}

int64_t ThreadLayout::getVectorSize(unsigned dim) const {
  int64_t size = 1;
  for (auto [place, bit] : enumerate(dims[dim])) {
    if (bit.isThread || bit.number != int(place))
      break;
    size *= 2;
  }
  return size;
}

namespace {
/// Gives places to the bits of a tensor's indices, one after the other.
class BitDealer {
public:
  explicit BitDealer(ArrayRef<int64_t> shape) {
    for (int64_t size : shape) {
      sizes.push_back(llvm::Log2_64_Ceil(size));
      dims.emplace_back();
    }
  }
  bool isFull(unsigned dim) const { return dims[dim].size() == sizes[dim]; }
  void giveThread(unsigned dim, int number) {
    dims[dim].push_back({true, number});
  }
  void giveRegister(unsigned dim) {
    dims[dim].push_back({false, numRegisterBits++});
  }
  void giveRest(unsigned dim) {
    while (!isFull(dim))
      giveRegister(dim);
  }
  /// The last of dimensions [begin, end) that is not full.
  std::optional<unsigned> getInnermost(unsigned begin, unsigned end) const {
    for (unsigned dim = end; dim-- > begin;)
      if (!isFull(dim))
        return dim;
    return std::nullopt;
  }
  ThreadLayout finish() {
    for (unsigned dim = dims.size(); dim-- > 0;)
      giveRest(dim);
    return ThreadLayout(std::move(dims));
  }

private:
  SmallVector<unsigned> sizes;
  ThreadLayout::Dims dims;
  int numRegisterBits = 0;
};
} // namespace

ThreadLayout ThreadLayout::getLinear(ArrayRef<int64_t> shape, int threadBits,
                                     int64_t perRegister) {
  BitDealer dealer(shape);
  unsigned rank = shape.size();
  int numBits = 0;
  for (int64_t size : shape)
    numBits += int(llvm::Log2_64_Ceil(size));
  int spare = std::max(0, numBits - threadBits);
  for (int k = 0; k < std::min<int>(spare, llvm::Log2_64(perRegister)); ++k)
    if (rank > 0 && !dealer.isFull(rank - 1))
      dealer.giveRegister(rank - 1);
  for (int k = 0; k < threadBits; ++k)
    if (std::optional<unsigned> dim = dealer.getInnermost(0, rank))
      dealer.giveThread(*dim, k);
  return dealer.finish();
}

ThreadLayout ThreadLayout::getTile(ArrayRef<int64_t> shape, unsigned rowDim,
                                   int threadBits) {
  BitDealer dealer(shape);
  unsigned rank = shape.size();
  constexpr int quadBits = 2, laneBits = 5;
  auto giveColumn = [&](std::optional<int> thread) {
    if (std::optional<unsigned> dim = dealer.getInnermost(rowDim + 1, rank))
      thread ? dealer.giveThread(*dim, *thread) : dealer.giveRegister(*dim);
  };
  giveColumn(std::nullopt);
  for (int k = 0; k < quadBits; ++k)
    giveColumn(k);
  auto giveRow = [&](int thread) {
    if (dealer.isFull(rowDim))
      giveColumn(thread);
    else
      dealer.giveThread(rowDim, thread);
  };
  for (int k = quadBits; k < laneBits; ++k)
    giveRow(k);
  if (!dealer.isFull(rowDim))
    dealer.giveRegister(rowDim);
  for (int k = laneBits; k < threadBits; ++k)
    giveRow(k);
  return dealer.finish();
}

ThreadLayout ThreadLayout::getRightOperand(int64_t depth, int64_t columns) {
  BitDealer dealer({depth, columns});
  constexpr unsigned depthDim = 0, columnDim = 1;
  dealer.giveRegister(depthDim);
  dealer.giveThread(depthDim, 0);
  dealer.giveThread(depthDim, 1);
  if (!dealer.isFull(depthDim))
    dealer.giveRegister(depthDim);
  for (int k = 2; k < 5; ++k)
    dealer.giveThread(columnDim, k);
  return dealer.finish();
}
