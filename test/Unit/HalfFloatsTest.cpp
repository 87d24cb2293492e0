//===- HalfFloatsTest.cpp - bf16 and f16 on every class of processors -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of every kind of length go through every kind of instruction and come
// out as machine code that calls no function; what it computes is what APFloat
// computes, where this machine can run it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/HalfFloats.h"
#include "compiler/Target/ObjectEmitter.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace llvm;
using namespace clique;

namespace {
struct Format {
  const char *name; ///< in LLVM IR
  const fltSemantics &semantics;
};
} // namespace

static const Format kFormats[] = {{"bfloat", APFloat::BFloat()},
                                  {"half", APFloat::IEEEhalf()}};

static TargetCpu getCpu(const std::string &name) {
  Expected<SmallVector<TargetCpu>> cpus = selectTargetCpus(name, "");
  EXPECT_TRUE(bool(cpus)) << toString(cpus.takeError());
  return cpus->front();
}

static bool canRun(const TargetCpu &cpu) {
  StringMap<bool> host = sys::getHostCPUFeatures();
  return all_of(split(cpu.required, ','), [&](StringRef feature) {
    return feature.empty() || host.lookup(feature);
  });
}

/// An object file of the functions, optimised or made quickly; it calls
/// nothing.
static SmallString<0> compile(const std::string &functions,
                              const TargetCpu &cpu, bool quick = false) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(functions, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str() << "\n" << functions;
  Expected<ObjectEmitter> emitter = ObjectEmitter::create(cpu, quick);
  EXPECT_TRUE(bool(emitter)) << toString(emitter.takeError());
  emitter->annotate(*module);
  lowerHalfFloats(*module, cpu);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  emitter->optimise(*module, /*verifyEach=*/false);
  lowerHalfFloats(*module, cpu);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  SmallString<0> object;
  raw_svector_ostream out(object);
  Error error = emitter->emit(*module, CodeFormat::object, out);
  EXPECT_FALSE(bool(error)) << toString(std::move(error));
  return object;
}

/// Functions (from, to) of vectors: $V of the format, $F, $D, $I of others,
/// $B of i1.
static const char *const kBodies[] = {
    // Numbers in memory, in registers, from block to block.
    "%x = load $V, ptr %a\n store $V %x, ptr %b",
    "%x = load $V, ptr %a\n %e = extractelement $V %x, i64 %i\n"
    "store $E %e, ptr %b",
    "%x = load $V, ptr %a\n %e = load $E, ptr %b\n"
    "%y = insertelement $V %x, $E %e, i64 %i\n store $V %y, ptr %b",
    "%x = load $E, ptr %a\n %y = insertelement $V poison, $E %x, i32 0\n"
    "%z = shufflevector $V %y, $V poison, <$N x i32> zeroinitializer\n"
    "store $V %z, ptr %b",
    "%x = load $V, ptr %a\n %p = icmp eq i64 %i, 0\n"
    "br i1 %p, label %then, label %last\n"
    "then:\n %y = load $V, ptr %b\n %s = fadd $V %x, %y\n br label %last\n"
    "last:\n %z = phi $V [ %x, %entry ], [ %s, %then ]\n store $V %z, ptr %b",
    "%m = icmp ne $I splat (i32 1), splat (i32 2)\n"
    "%x = call $V @llvm.masked.load(ptr align 2 %a, $B %m, $V poison)\n"
    "call void @llvm.masked.store($V %x, ptr align 2 %b, $B %m)",
    // Vectors of two and of three dimensions.
    "%x = load $V, ptr %a\n %y = load $V, ptr %b\n"
    "%r = insertvalue [2 x $V] poison, $V %x, 0\n"
    "%s = insertvalue [2 x $V] %r, $V %y, 1\n"
    "%t = insertvalue [1 x [2 x $V]] poison, [2 x $V] %s, 0\n"
    "%p = icmp eq i64 %i, 0\n br i1 %p, label %then, label %last\n"
    "then:\n %z = extractvalue [1 x [2 x $V]] %t, 0, 1\n"
    "store $V %z, ptr %a\n br label %last\nlast:",
    "%x = load $V, ptr %a\n %y = load $V, ptr %b\n"
    "%r = insertvalue [2 x $V] poison, $V %x, 0\n"
    "%s = insertvalue [2 x $V] %r, $V %y, 1\n"
    "%p = icmp eq i64 %i, 0\n br i1 %p, label %then, label %last\n"
    "then:\n %t = insertvalue [2 x $V] %s, $V %y, 0\n br label %last\n"
    "last:\n %q = phi [2 x $V] [ %s, %entry ], [ %t, %then ]\n"
    "%z = extractvalue [2 x $V] %q, 0\n store $V %z, ptr %b",
    // Arithmetic and comparisons.
    "%x = load $V, ptr %a\n %y = load $V, ptr %b\n %p = fmul $V %x, %y\n"
    "%s = fadd $V %p, splat ($E 1.0)\n %n = fneg $V %s\n"
    "store $V %n, ptr %b",
    "%x = load $V, ptr %a\n %y = load $V, ptr %b\n"
    "%c = fcmp ogt $V %x, splat ($E 2.0)\n"
    "%z = select $B %c, $V %x, $V %y\n store $V %z, ptr %b",
    "%x = load $V, ptr %a\n %y = load $V, ptr %b\n"
    "%z = call $V @llvm.maximum($V %x, $V %y)\n"
    "%s = call $V @llvm.sqrt($V %z)\n"
    "%f = call $V @llvm.fabs($V %s)\n store $V %f, ptr %b",
    "%x = load $V, ptr %a\n"
    "%s = call $E @llvm.vector.reduce.fadd($E 0.0, $V %x)\n"
    "store $E %s, ptr %b",
    "%x = load $V, ptr %a\n %e = fpext $V %x to $F\n %s = fadd $F %e, %e\n"
    "%y = fptrunc $F %s to $V\n store $V %y, ptr %b",
    "%x = load double, ptr %a\n %s = fptrunc double %x to float\n"
    "%m = load float, ptr %b\n"
    "%c = call float @llvm.copysign(float %m, float %s)\n"
    "%y = fptrunc float %c to $E\n store $E %y, ptr %b",
    // Conversions.
    "%x = load $F, ptr %a\n %y = fptrunc $F %x to $V\n store $V %y, ptr %b",
    "%x = load $D, ptr %a\n %y = fptrunc $D %x to $V\n store $V %y, ptr %b",
    "%x = load $V, ptr %a\n %y = fpext $V %x to $F\n store $F %y, ptr %b",
    "%x = load $V, ptr %a\n %y = fpext $V %x to $D\n store $D %y, ptr %b",
    "%x = load $I, ptr %a\n %y = sitofp $I %x to $V\n store $V %y, ptr %b",
    "%x = load $I, ptr %a\n %y = uitofp $I %x to $V\n store $V %y, ptr %b",
    "%x = load $V, ptr %a\n %y = fptosi $V %x to $I\n store $I %y, ptr %b",
    "%x = load $V, ptr %a\n %y = bitcast $V %x to <$N x i16>\n"
    "store <$N x i16> %y, ptr %b",
};

/// Puts types in the place of $V, $F ...
static std::string substitute(StringRef body, const Format &format,
                              unsigned size) {
  auto vectorOf = [&](StringRef element) {
    return ("<" + Twine(size) + " x " + element + ">").str();
  };
  const std::pair<char, std::string> words[] = {
      {'V', vectorOf(format.name)}, {'F', vectorOf("float")},
      {'D', vectorOf("double")},    {'I', vectorOf("i32")},
      {'B', vectorOf("i1")},        {'E', format.name},
      {'N', utostr(size)}};
  std::string text;
  for (size_t k = 0; k < body.size(); ++k) {
    if (body[k] != '$') {
      text += body[k];
      continue;
    }
    ++k;
    text += find_if(words, [&](auto &word) {
              return word.first == body[k];
            })->second;
  }
  return text;
}

static std::string instantiate(StringRef body, const Format &format,
                               unsigned size, const Twine &name) {
  return ("define void @" + name + "(ptr %a, ptr %b, i64 %i) {\nentry:\n" +
          substitute(body, format, size) + "\nret void\n}\n")
      .str();
}

TEST(HalfFloats, everyLengthBecomesMachineCode) {
  for (const char *cpu : {"x86-64", "x86-64-v3", "x86-64-v4", "cooperlake"})
    for (const Format &format : kFormats) {
      SCOPED_TRACE(Twine(cpu).concat(" ").concat(format.name).str());
      std::string functions;
      for (unsigned size : {1, 5, 8, 9, 33})
        for (auto [k, body] : enumerate(kBodies))
          functions += instantiate(body, format, size,
                                   "f" + Twine(k) + "_" + Twine(size));
      for (bool quick : {false, true})
        compile(functions, getCpu(cpu), quick);
    }
}

TEST(HalfFloats, ownFunctionsTakeAndReturnThem) {
  for (const char *cpu : {"x86-64", "x86-64-v3", "cooperlake"})
    for (const Format &format : kFormats)
      for (unsigned size : {1, 8, 33}) {
        SCOPED_TRACE(Twine(cpu).concat(" ").concat(format.name).str());
        const std::string functions =
            instantiate("%x = load $V, ptr %a\n %e = load $E, ptr %b\n"
                        "%y = call $V @own($E %e, i64 %i, $V %x)\n"
                        "store $V %y, ptr %b",
                        format, size, "f") +
            substitute("define internal $V @own($E nofpclass(nan) %e, i64 %i, "
                       "$V noundef %x) noinline {\nentry:\n"
                       "%p = icmp eq i64 %i, 0\n"
                       "br i1 %p, label %then, label %last\nthen:\n"
                       "%y = insertelement $V %x, $E %e, i64 0\n"
                       "br label %last\nlast:\n"
                       "%z = phi $V [ %x, %entry ], [ %y, %then ]\n"
                       "ret $V %z\n}\n",
                       format, size);
        for (bool quick : {false, true})
          compile(functions, getCpu(cpu), quick);
      }
}

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

namespace {
/// A conversion of vectors, in this process.
class Converter {
public:
  Converter(const char *body, const Format &format, const TargetCpu &cpu) {
    SmallString<0> object =
        compile(instantiate(body, format, kSize, "convert"), cpu);
    jit = cantFail(orc::LLJITBuilder()
                       .setPlatformSetUp(orc::setUpInactivePlatform)
                       .create());
    cantFail(jit->addObjectFile(MemoryBuffer::getMemBufferCopy(object)));
    function = cantFail(jit->lookup("convert"))
                   .toPtr<void (*)(const void *, void *, int64_t)>();
  }

  template <typename To, typename From>
  std::vector<To> run(std::vector<From> from) const {
    // The last vector is filled up.
    const size_t size = from.size();
    from.resize(alignTo(size, kSize));
    std::vector<To> to(from.size());
    for (size_t k = 0; k < from.size(); k += kSize)
      function(&from[k], &to[k], 0);
    to.resize(size);
    return to;
  }

private:
  static constexpr unsigned kSize = 25;
  std::unique_ptr<orc::LLJIT> jit;
  void (*function)(const void *, void *, int64_t);
};

class HalfFloatsOf : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    cpu = getCpu(GetParam());
    if (!canRun(cpu))
      GTEST_SKIP() << "this machine is no " << GetParam();
    // The instruction takes numbers below the normal ones as 0.
    flushes = StringRef(cpu.required).contains("avx512bf16");
  }

  /// Whether the processor need not agree.
  bool isExcused(const Format &format, double number) const {
    return std::isnan(number) ||
           (flushes && &format.semantics == &APFloat::BFloat() &&
            std::fabs(number) <= std::numeric_limits<float>::min());
  }

  TargetCpu cpu;
  bool flushes = false;
};
} // namespace

static std::vector<uint16_t> allHalves() {
  std::vector<uint16_t> all(1 << 16);
  for (size_t k = 0; k < all.size(); ++k)
    all[k] = uint16_t(k);
  return all;
}

static double toDouble(const Format &format, uint16_t bits) {
  APFloat number(format.semantics, APInt(16, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

static uint16_t fromDouble(const Format &format, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(format.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return uint16_t(number.bitcastToAPInt().getZExtValue());
}

/// Around each number of the format and each middle of two.
static std::vector<double> numbersToRound(const Format &format) {
  std::vector<double> numbers;
  for (uint32_t bits = 0; bits < 0xffff; ++bits) {
    double number = toDouble(format, uint16_t(bits));
    double next = toDouble(format, uint16_t(bits + 1));
    if (!std::isfinite(number) || !std::isfinite(next))
      next = number;
    double middle = (number + next) / 2;
    for (double value : {number, middle})
      for (double away : {-HUGE_VAL, value, HUGE_VAL})
        numbers.push_back(std::nextafter(value, away));
  }
  for (double value : {1e300, -1e300, 1e-300, 65519.9, 65520.0, 65536.0})
    numbers.push_back(value);
  return numbers;
}

TEST_P(HalfFloatsOf, wideningIsExact) {
  for (const Format &format : kFormats) {
    Converter toFloat("%x = load $V, ptr %a, align 2\n %y = fpext $V %x to $F\n"
                      "store $F %y, ptr %b, align 2",
                      format, cpu);
    std::vector<uint16_t> halves = allHalves();
    std::vector<float> floats = toFloat.run<float>(halves);
    for (auto [half, number] : zip_equal(halves, floats)) {
      double expected = toDouble(format, half);
      ASSERT_EQ(std::isnan(expected), std::isnan(number)) << half;
      if (!std::isnan(expected))
        ASSERT_EQ(expected, double(number)) << format.name << " " << half;
    }
  }
}

TEST_P(HalfFloatsOf, f64IsRoundedOnce) {
  for (const Format &format : kFormats) {
    Converter toHalf(
        "%x = load $D, ptr %a, align 2\n %y = fptrunc $D %x to $V\n"
        "store $V %y, ptr %b, align 2",
        format, cpu);
    std::vector<double> numbers = numbersToRound(format);
    std::vector<uint16_t> halves = toHalf.run<uint16_t>(numbers);
    for (auto [number, half] : zip_equal(numbers, halves))
      if (!isExcused(format, number))
        ASSERT_EQ(fromDouble(format, number), half)
            << format.name << " " << number;
  }
}

TEST_P(HalfFloatsOf, f32IsRoundedToTheNearest) {
  for (const Format &format : kFormats) {
    Converter toHalf(
        "%x = load $F, ptr %a, align 2\n %y = fptrunc $F %x to $V\n"
        "store $V %y, ptr %b, align 2",
        format, cpu);
    std::vector<float> numbers;
    for (double number : numbersToRound(format))
      numbers.push_back(float(number));
    std::vector<uint16_t> halves = toHalf.run<uint16_t>(numbers);
    for (auto [number, half] : zip_equal(numbers, halves))
      if (!isExcused(format, number))
        ASSERT_EQ(fromDouble(format, number), half)
            << format.name << " " << number;
  }
}

TEST_P(HalfFloatsOf, integersAreRoundedOnce) {
  for (const Format &format : kFormats) {
    Converter toHalf("%x = load $I, ptr %a, align 2\n %y = sitofp $I %x to $V\n"
                     "store $V %y, ptr %b, align 2",
                     format, cpu);
    std::vector<int32_t> numbers;
    for (int32_t power = 0; power < 31; ++power)
      for (int32_t digits : {257, 259, 0x8081, 0x1ffffff})
        for (int32_t more : {-1, 0, 1})
          numbers.push_back(int32_t(uint32_t(digits) << power) + more);
    std::vector<uint16_t> halves = toHalf.run<uint16_t>(numbers);
    for (auto [number, half] : zip_equal(numbers, halves))
      ASSERT_EQ(fromDouble(format, number), half)
          << format.name << " " << number;
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, HalfFloatsOf,
                         testing::Values("x86-64", "x86-64-v3", "x86-64-v4",
                                         "cooperlake", "native"));
