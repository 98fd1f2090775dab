# Flags shared by every target: warnings are errors, sanitizers on request.
function(pipelink_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -fvisibility=hidden
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wconversion -Wno-sign-conversion>)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE> PIPELINK_VERSION="${PROJECT_VERSION}")
  if(PIPELINK_SANITIZE)
    # Instrumented code makes gcc warn where the plain code has nothing to warn of; the normal build sees all warnings.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
      -fno-omit-frame-pointer -Wno-error -Wno-conversion)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()
