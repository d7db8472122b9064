# Has the program write its manual pages and completions into FOLDER: cmake -DPROGRAM=… -DFOLDER=…
# [-DGZIP=…] -P …
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} man ${FOLDER}/man COMMAND_ERROR_IS_FATAL ANY)
foreach(shell bash zsh fish)
  execute_process(COMMAND ${PROGRAM} completion ${shell} OUTPUT_FILE ${FOLDER}/parid.${shell}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(GZIP)
  file(GLOB pages ${FOLDER}/man/*.1)
  execute_process(COMMAND ${GZIP} -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
