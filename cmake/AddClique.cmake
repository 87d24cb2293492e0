# MLIR from the system's packages, and one wrapper per kind of target.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR 22.1 REQUIRED CONFIG)
# Either all of it is shared or all is static: both together would bring two
# copies of everything.
if(CLIQUE_STATIC_LLVM)
  find_library(CLIQUE_POLLY NAMES libPolly.a HINTS ${LLVM_LIBRARY_DIR} /usr/lib/llvm-22/lib)
  if(NOT CLIQUE_POLLY)
    message(FATAL_ERROR "LLVM's static libraries, which the wheel is made of, refer to Polly: "
      "install its library (on Debian: apt-get install libpolly-22-dev), or set "
      "CLIQUE_STATIC_LLVM=OFF for a build that needs LLVM's shared libraries")
  endif()
  foreach(kind DIALECT CONVERSION EXTENSION TRANSLATION)
    get_property(libraries GLOBAL PROPERTY MLIR_${kind}_LIBS)
    list(APPEND CLIQUE_MLIR ${libraries})
  endforeach()
  list(APPEND CLIQUE_MLIR MLIROptLib MLIRLspServerLib MLIRRegisterAllDialects
    MLIRRegisterAllExtensions MLIRRegisterAllPasses MLIRReduceLib)
  llvm_map_components_to_libnames(CLIQUE_LLVM
    native NVPTX asmparser bitreader bitwriter irreader linker lto dtlto object option orcjit passes)
  # The packages' static libraries ask for shared ones.
  foreach(target ${MLIR_EXPORTED_TARGETS})
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    if(libraries)
      list(REMOVE_ITEM libraries LLVM MLIR "$<LINK_ONLY:LLVM>")
      set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${libraries})
    endif()
  endforeach()
else()
  set(MLIR_LINK_MLIR_DYLIB ON)
  set(LLVM_LINK_LLVM_DYLIB ON)
  set(CLIQUE_MLIR MLIR)
  set(CLIQUE_LLVM LLVM)
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
# MLIR's own output folders would scatter ours.
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# MLIRConfig knows mlir-tblgen alone; tables are llvm-tblgen's.
find_program(LLVM_TABLEGEN_EXE llvm-tblgen HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
find_package(PkgConfig REQUIRED)
pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)

include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})

# MLIR's headers are most of what a file compiles: parsed once for all libraries.
#   add_precompiled_headers(name [ON base] headers...)
# ON: behind those of `base`, which are not parsed again.
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
function(add_precompiled_headers name)
  cmake_parse_arguments(ARG "" "ON" "" ${ARGN})
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE clique_options)
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles)
  if(ARG_ON)
    set(base ${folder}/${ARG_ON}.dir/cmake_pch.hxx.pch)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -include-pch -Xclang ${base}")
    set_property(SOURCE ${folder}/${name}.dir/cmake_pch.hxx.cxx APPEND PROPERTY
      OBJECT_DEPENDS ${base})
  endif()
endfunction()
add_precompiled_headers(clique_precompiled
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Pass/Pass.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>)
# With our own dialect: for the libraries most of whose files include its ops.
add_precompiled_headers(clique_precompiled_mp ON clique_precompiled
  <dialect/IR/MPOps.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>)
add_dependencies(clique_precompiled_mp MPOpsIncGen)
# With LLVM's dialects: several times the time to parse, and a little more in each
# file, so for the libraries that need them. Too large for a cache of results.
add_precompiled_headers(clique_precompiled_llvm ON clique_precompiled
  <llvm/IR/Module.h>
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Bufferization/IR/Bufferization.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/NVGPU/IR/NVGPUDialect.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>)
set_target_properties(clique_precompiled_llvm PROPERTIES CXX_COMPILER_LAUNCHER "")

# Most of what time a compilation takes is MLIR's and LLVM's; our own part of it is
# built in a sixth less time, and as fast, where less is inlined.
function(inline_little name)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -inline-threshold=50>")
endfunction()

# For an executable, whose code is otherwise not as that of libraries.
function(reuse_precompiled_headers name from)
  target_compile_options(${name} PRIVATE -fPIC -fno-exceptions)
  inline_little(${name})
  target_precompile_headers(${name} REUSE_FROM ${from})
endfunction()

# A static library of the dialect or the compiler.
#   add_clique_library(name SOURCES... [MP|LLVM_DIALECTS] [HOT] DEPENDS targets LINK_LIBS ours)
# MP: most of its files include our own dialect; LLVM_DIALECTS: headers of the LLVM,
# NVVM, GPU or vector dialect. HOT: its code runs for each edge, and is inlined as ever.
# MLIR itself comes through the one shared library, or as CLIQUE_STATIC_LLVM says.
function(add_clique_library name)
  cmake_parse_arguments(ARG "MP;LLVM_DIALECTS;HOT" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_compile_options(${name} PRIVATE -fno-exceptions)
  if(NOT ARG_HOT)
    inline_little(${name})
  endif()
  if(ARG_LLVM_DIALECTS)
    target_precompile_headers(${name} REUSE_FROM clique_precompiled_llvm)
  elseif(ARG_MP)
    target_precompile_headers(${name} REUSE_FROM clique_precompiled_mp)
  else()
    target_precompile_headers(${name} REUSE_FROM clique_precompiled)
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} PRIVATE clique_options)
  target_link_libraries(${name} PUBLIC ${CLIQUE_MLIR})
endfunction()

# A tool on top of those libraries.
function(add_clique_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  reuse_precompiled_headers(${name} clique_precompiled)
  if(CLIQUE_SANITIZE)
    target_sources(${name} PRIVATE
      ${CMAKE_SOURCE_DIR}/tools/support/SanitizerOptions.cpp)
  else()
    # A tenth of a long compilation is malloc and free: it ends 5 to 10 % sooner.
    target_link_libraries(${name} PRIVATE PkgConfig::JEMALLOC)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} clique_options)
  target_link_libraries(${name} PRIVATE ${CLIQUE_MLIR} ${CLIQUE_LLVM})
  # The JIT and --lowering overrides resolve runtime symbols from the process.
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
endfunction()

# Files that are compiled on their own where others are compiled several at a time
# (CMAKE_UNITY_BUILD): their names mean something else in their neighbours.
function(compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
