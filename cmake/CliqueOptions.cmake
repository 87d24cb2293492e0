# Warnings and sanitizers of our own code, as one interface target.
add_library(clique_options INTERFACE)
target_compile_options(clique_options INTERFACE -Wall -Wextra -Wno-unused-parameter)
if(CLIQUE_WERROR)
  target_compile_options(clique_options INTERFACE -Werror)
endif()
if(CLIQUE_SANITIZE)
  string(REPLACE ";" "," sanitizers "${CLIQUE_SANITIZE}")
  target_compile_options(clique_options INTERFACE -fsanitize=${sanitizers}
    -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(clique_options INTERFACE -fsanitize=${sanitizers})
endif()
