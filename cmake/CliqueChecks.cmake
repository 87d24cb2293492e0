# Targets check-format (clang-format-22 over the tracked C and C++ files) and
# check-tidy (clang-tidy-22 over what this build compiles, where it changed).
find_program(CLIQUE_CLANG_FORMAT clang-format-22)

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

add_custom_target(check-tidy
  COMMAND ${CMAKE_SOURCE_DIR}/scripts/tidy.py -p ${CMAKE_BINARY_DIR}
  USES_TERMINAL VERBATIM COMMENT "Running clang-tidy")
