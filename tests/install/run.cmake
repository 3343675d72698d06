# Installs rigcast below a fresh folder, then configures, builds and runs a program that knows only that folder.
# cmake -DBUILD=... -DSCRATCH=... -DCONSUMER=... -DCOMPILER=... -DGENERATOR=... -P run.cmake
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
if(NOT output STREQUAL "1 GB at 4 GB/s: 250 ms\n")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()
run(${SCRATCH}/prefix/bin/rigcast --version)
if(output STREQUAL "")
  message(FATAL_ERROR "the installed program printed no version")
endif()
