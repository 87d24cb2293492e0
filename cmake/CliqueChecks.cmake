# Targets check-format (clang-format-22 over the tracked C and C++ files) and
# check-tidy (clang-tidy-22 over what this build compiles).
find_program(CLIQUE_CLANG_FORMAT clang-format-22)
find_program(CLIQUE_CLANG_TIDY clang-tidy-22)
find_program(CLIQUE_RUN_CLANG_TIDY run-clang-tidy-22)

if(CLIQUE_CLANG_FORMAT)
  add_custom_target(check-format
    COMMAND bash -o pipefail -c "git ls-files -z -- '*.c' '*.cpp' '*.h' | xargs -0 -r \
      ${CLIQUE_CLANG_FORMAT} --dry-run --Werror"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} USES_TERMINAL VERBATIM
    COMMENT "Checking the format of the tracked C and C++ files")
else()
  add_custom_target(check-format
    COMMAND ${CMAKE_COMMAND} -E echo "error: check-format needs the package clang-format-22"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()

if(CLIQUE_CLANG_TIDY AND CLIQUE_RUN_CLANG_TIDY)
  # Generated headers have to exist; the regular expression leaves other code out.
  add_custom_target(check-tidy
    COMMAND ${CLIQUE_RUN_CLANG_TIDY} -quiet -clang-tidy-binary ${CLIQUE_CLANG_TIDY}
      -p ${CMAKE_BINARY_DIR}
      "^${CMAKE_SOURCE_DIR}/(dialect|compiler|runtime|tools|benchmarks|test)/"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} USES_TERMINAL VERBATIM
    COMMENT "Running clang-tidy")
else()
  add_custom_target(check-tidy
    COMMAND ${CMAKE_COMMAND} -E echo "error: check-tidy needs the package clang-tidy-22"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
