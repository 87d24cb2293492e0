# Warnings and sanitizers of our own code, as one interface target.
add_library(clique_options INTERFACE)
target_compile_options(clique_options INTERFACE -Wall -Wextra -Wno-unused-parameter)
if(CLIQUE_WERROR)
  target_compile_options(clique_options INTERFACE -Werror)
endif()
# Line numbers are all that a report needs. Assertions are on, those of MLIR's
# headers and of the standard library's containers too.
function(sanitize target scope)
  string(REPLACE ";" "," sanitizers "${ARGN}")
  target_compile_options(${target} ${scope} -fsanitize=${sanitizers}
    -fno-omit-frame-pointer -fno-sanitize-recover=undefined -gline-tables-only
    -UNDEBUG)
  target_compile_definitions(${target} ${scope} _GLIBCXX_ASSERTIONS)
  target_link_options(${target} ${scope} -fsanitize=${sanitizers})
endfunction()
if(CLIQUE_SANITIZE)
  sanitize(clique_options INTERFACE ${CLIQUE_SANITIZE})
endif()
if(CLIQUE_COVERAGE)
  target_compile_options(clique_options INTERFACE
    -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(clique_options INTERFACE -fprofile-instr-generate)
endif()
