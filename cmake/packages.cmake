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
lhp_package(PkgLZ4 liblz4 liblz4-dev)
lhp_package(PkgCJSON libcjson libcjson-dev)
lhp_package(PkgCMOCKA cmocka libcmocka-dev)
lhp_package(PkgNETTLE nettle nettle-dev)

# libzip is loaded when there are wheels, not linked (src/bundle/libzip.h): of it the build takes the header, and the name by which
# programs ask for the library. Debian calls the package after that name.
lhp_package(PkgZIP libzip libzip-dev)
get_target_property(zip_library PkgZIP INTERFACE_LINK_LIBRARIES)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${zip_library} OUTPUT_VARIABLE zip_headers COMMAND_ERROR_IS_FATAL ANY)
if(NOT zip_headers MATCHES "SONAME +([^\n]+)")
  message(FATAL_ERROR "${zip_library} is no shared library with a name")
endif()
set(LHP_LIBZIP ${CMAKE_MATCH_1})
string(REPLACE ".so." "" LHP_LIBZIP_PACKAGE ${LHP_LIBZIP})
add_library(LoadedZIP INTERFACE)
target_include_directories(LoadedZIP SYSTEM INTERFACE $<TARGET_PROPERTY:PkgZIP,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(LoadedZIP INTERFACE LHP_LIBZIP="${LHP_LIBZIP}" LHP_LIBZIP_PACKAGE="${LHP_LIBZIP_PACKAGE}")
target_link_libraries(LoadedZIP INTERFACE ${CMAKE_DL_LIBS})
