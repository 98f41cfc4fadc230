# Java: `javap -public` of every public class.

file(GLOB sources ${SOURCE}/bindings/java/src/main/java/dev/lately/*.java)
run_into(said ${JDK}/bin/javac --release 11 -proc:none -d ${room}/classes ${sources})
file(GLOB classes RELATIVE ${room}/classes/dev/lately ${room}/classes/dev/lately/*.class)
list(TRANSFORM classes REPLACE "\\.class$" "")
list(TRANSFORM classes PREPEND dev.lately.)
list(SORT classes)
run_into(list ${JDK}/bin/javap -public -constants -cp ${room}/classes ${classes})
string(REGEX REPLACE "Compiled from [^\n]*\n" "" list "${list}")
# Of a class that is not public its name is said all the same.
string(REGEX REPLACE "(^|\n)(abstract |final )*(class|interface|enum) [^}]*}" "" list "${list}")
hold(java.txt "${list}")
