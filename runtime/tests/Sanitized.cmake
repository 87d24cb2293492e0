# What the suite runs of scripts/sanitize.sh, which builds all of Clique a second
# time: the runtime under the address and undefined-behaviour sanitizers, linked to
# its unit tests and to clique-device, which runs layers that --sanitize=address
# checks; and clique-device for layers that --sanitize=thread checks.
if(CLIQUE_SANITIZE OR CLIQUE_COVERAGE)
  return()
endif()
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
check_cxx_source_compiles("int main() {}" CLIQUE_HAS_SANITIZERS)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT CLIQUE_HAS_SANITIZERS)
  return()
endif()

add_runtime(clique_sanitized_runtime)
set_target_properties(clique_sanitized_runtime PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/sanitized
  EXPORT_COMPILE_COMMANDS OFF)
sanitize(clique_sanitized_runtime PRIVATE address undefined)

# A program of objects that are there, linked anew.
function(link_again name runtime)
  cmake_parse_arguments(ARG "" "" "OBJECTS_OF;SANITIZE;LINK_LIBS" ${ARGN})
  list(TRANSFORM ARG_OBJECTS_OF REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_executable(${name} ${ARG_OBJECTS_OF})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${runtime} ${ARG_LINK_LIBS})
  sanitize(${name} PRIVATE ${ARG_SANITIZE})
endfunction()

link_again(clique_sanitized_runtime_tests clique_sanitized_runtime
  OBJECTS_OF clique_runtime_tests
  SANITIZE address undefined
  LINK_LIBS clique_format GTest::gtest_main PkgConfig::LIBZIP ZLIB::ZLIB Threads::Threads
    OpenMP::OpenMP_CXX)
# Not what takes more than a second, other than damaged files.
set(long_tests Decisions.* GraphWrite.Large MatrixMarket.ManyLines* NpyRead.ShowsOnATerminal*
  Reorder.AutoLosesNoEdge* Sets/Data.* Topology.AllGraphs* Topology.OneEdge*)
list(JOIN long_tests ":" long_tests)
add_test(NAME runtime.sanitized
  COMMAND clique_sanitized_runtime_tests --gtest_brief=1 --gtest_filter=-${long_tests})

set(device OBJECTS_OF clique-device clique_graph_descriptions LINK_LIBS clique_format)
link_again(clique-device-address clique_sanitized_runtime ${device} SANITIZE address undefined)
link_again(clique-device-thread clique_runtime ${device} SANITIZE thread)
