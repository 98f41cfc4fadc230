# A Gradle project, with nothing but the published jar and its pom, in Maven's local repository. The program is that of Maven's.

file(COPY ${SOURCE}/examples/consumers/maven/src DESTINATION ${project})
file(STRINGS ${POM} version REGEX "^  <version>" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9.]+" version "${version}")
set(published ${room}/published/dev/lately/lately/${version})
file(MAKE_DIRECTORY ${published})
file(COPY_FILE ${POM} ${published}/lately-${version}.pom)
file(COPY_FILE ${JAR} ${published}/lately-${version}.jar)

set(ENV{JAVA_HOME} ${JDK})
run(${GRADLE} --no-daemon --offline --quiet --gradle-user-home ${room}/home -Dmaven.repo.local=${room}/published installDist)
check_verdicts(${project}/build/install/verdicts/bin/verdicts)
