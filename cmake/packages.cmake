# Libraries come from the distribution, found through pkg-config. A missing one stops with its package's name.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(lhp_package target module debian)
  pkg_check_modules(${target} IMPORTED_TARGET ${module})
  if(NOT ${target}_FOUND)
    message(FATAL_ERROR "The library ${module} is missing: install the package ${debian} (apt-get install ${debian}), or run ./dev setup")
  endif()
  add_library(${target} ALIAS PkgConfig::${target})
endfunction()

lhp_package(PkgYAML yaml-0.1 libyaml-dev)
lhp_package(PkgXXHASH libxxhash libxxhash-dev)
lhp_package(PkgLMDB lmdb liblmdb-dev)
lhp_package(PkgCJSON libcjson libcjson-dev)
lhp_package(PkgCMOCKA cmocka libcmocka-dev)
lhp_package(PkgZIP libzip libzip-dev)
lhp_package(PkgNETTLE nettle nettle-dev)
