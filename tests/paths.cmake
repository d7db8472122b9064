# What was built says nothing of where: cmake -DFILES=… -DPLACE=… -P paths.cmake
foreach(file ${FILES})
  execute_process(COMMAND grep -c -F -- "${PLACE}" "${file}" OUTPUT_VARIABLE count RESULT_VARIABLE
                  found)
  if(found EQUAL 0)
    message(SEND_ERROR "${file} holds the path ${PLACE}")
  elseif(NOT found EQUAL 1)
    message(SEND_ERROR "${file} cannot be read")
  endif()
endforeach()
