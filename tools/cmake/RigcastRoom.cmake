# One static library per room of sim/, so that the layering is also a link-time fact.
# rigcast_room(NAME [room it may include ...]); third-party libraries are added by the caller.

add_library(rigcast_options INTERFACE)
target_compile_features(rigcast_options INTERFACE cxx_std_20)
# Warnings concern who builds rigcast, not who links it. g++ 12 sees overlaps (-Wrestrict) in "text" + string that
# are not there, once it optimises: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
target_compile_options(rigcast_options INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Werror;-ffp-contract=off;-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>>
  $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>>)
if(RIGCAST_SANITIZE)
  target_compile_options(rigcast_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${RIGCAST_SANITIZE} -fno-omit-frame-pointer>
    # GCC 12 takes members of std::regex for uninitialised where a sanitizer instruments them (bug 105562).
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(rigcast_options INTERFACE -fsanitize=${RIGCAST_SANITIZE})
endif()
set_property(GLOBAL PROPERTY RIGCAST_ROOMS rigcast_options)

function(rigcast_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(rigcast_${name} STATIC ${sources})
  add_library(rigcast::${name} ALIAS rigcast_${name})
  set_target_properties(rigcast_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(rigcast_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sim>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rigcast>)
  target_link_libraries(rigcast_${name} PUBLIC rigcast_options)
  foreach(lower IN LISTS ARGN)
    target_link_libraries(rigcast_${name} PUBLIC rigcast_${lower})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY RIGCAST_ROOMS rigcast_${name})
endfunction()
