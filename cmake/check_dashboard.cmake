# Every query of a dashboard of Grafana is one that Prometheus can parse: each is checked as a rule.
#   BOARD      the dashboard, in JSON
#   PROMTOOL   Prometheus's own program
#   ROOM       a folder for the rules
cmake_policy(VERSION 3.25)

file(READ ${BOARD} board)
set(rules "groups:\n  - name: dashboard\n    rules:\n")
set(count 0)
string(JSON panels LENGTH "${board}" panels)
math(EXPR last "${panels} - 1")
foreach(panel RANGE ${last})
    # A row of the board has no targets.
    string(JSON targets ERROR_VARIABLE none LENGTH "${board}" panels ${panel} targets)
    if(none)
        continue()
    endif()
    math(EXPR last_target "${targets} - 1")
    foreach(target RANGE ${last_target})
        string(JSON query GET "${board}" panels ${panel} targets ${target} expr)
        string(REPLACE "$__rate_interval" "5m" query "${query}")
        string(REGEX REPLACE "\\$(job|instance|filter)" ".*" query "${query}")
        string(APPEND rules "      - record: query:${count}\n        expr: '${query}'\n")
        math(EXPR count "${count} + 1")
    endforeach()
endforeach()
if(count LESS 10)
    message(FATAL_ERROR "${BOARD} has ${count} queries")
endif()
file(MAKE_DIRECTORY ${ROOM})
file(WRITE ${ROOM}/dashboard.yml "${rules}")
execute_process(COMMAND ${PROMTOOL} check rules ${ROOM}/dashboard.yml COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "dashboard: ${count} queries that Prometheus parses")
