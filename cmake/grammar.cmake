# tree-sitter and its Python grammar, for reading users' Python. Debian's library is older than the grammar, and no
# package ships the grammar: both are fetched once from PyPI (source distributions, pinned by version and hash)
# into the checkout's tool folder, and never committed.
set(TOOLS ${CMAKE_SOURCE_DIR}/.tools)

function(lhp_fetch name file version sha256)
  set(archive ${TOOLS}/${file}-${version}.tar.gz)
  if(EXISTS ${TOOLS}/${file}-${version}/.unpacked)
    return()
  endif()
  if(NOT EXISTS ${archive})
    message(STATUS "Fetching ${name} ${version} from PyPI")
    execute_process(
      COMMAND python3 -m pip download --quiet --no-deps --no-binary :all: --dest ${TOOLS} ${name}==${version}
      RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "Could not fetch ${name} ${version}: python3 with pip and access to PyPI are needed once (./dev setup)")
    endif()
  endif()
  file(SHA256 ${archive} found)
  if(NOT found STREQUAL sha256)
    message(FATAL_ERROR "${archive} is not the pinned release (SHA-256 ${found}): remove it and configure again")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${TOOLS})
  file(TOUCH ${TOOLS}/${file}-${version}/.unpacked)
endfunction()

lhp_fetch(tree-sitter tree-sitter 0.23.2 66bae8dd47f1fed7bdef816115146d3a41c39b5c482d7bad36d9ba1def088450)
lhp_fetch(tree-sitter-python tree_sitter_python 0.23.6 354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9)

set(CORE ${TOOLS}/tree-sitter-0.23.2/tree_sitter/core/lib)
set(GRAMMAR ${TOOLS}/tree_sitter_python-0.23.6/src)

# The grammar includes the core's private headers as <tree_sitter/…>.
foreach(header parser.h array.h alloc.h)
  configure_file(${CORE}/src/${header} ${CMAKE_BINARY_DIR}/grammar/tree_sitter/${header} COPYONLY)
endforeach()

add_library(tree_sitter_python STATIC ${CORE}/src/lib.c ${GRAMMAR}/parser.c ${GRAMMAR}/scanner.c)
target_include_directories(tree_sitter_python SYSTEM PUBLIC ${CORE}/include
                           PRIVATE ${CORE}/src ${CMAKE_BINARY_DIR}/grammar)
target_compile_definitions(tree_sitter_python PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
# Code of others, most of it generated: our warnings and sanitizers are not for it.
target_compile_options(tree_sitter_python PRIVATE -w -O2)
