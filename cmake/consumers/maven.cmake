# A Maven project, with nothing but the published jar and its pom, in a repository as Maven lays it out.

file(STRINGS ${POM} version REGEX "^  <version>" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9.]+" version "${version}")
set(published ${room}/published/dev/lately/lately/${version})
file(MAKE_DIRECTORY ${published})
file(COPY_FILE ${POM} ${published}/lately-${version}.pom)
file(COPY_FILE ${JAR} ${published}/lately-${version}.jar)

# A store of its own, so that no jar of an earlier build is taken; plugins come from what this machine has already.
set(store $ENV{HOME}/.m2/repository)
if("$ENV{MAVEN_OPTS}" MATCHES "-Dmaven.repo.local=([^ ]+)")
    set(store ${CMAKE_MATCH_1})
endif()
file(WRITE ${room}/settings.xml "<settings>
  <localRepository>${room}/store</localRepository>
  <profiles><profile>
    <id>published</id>
    <repositories>
      <repository><id>published</id><url>file://${room}/published</url></repository>
    </repositories>
    <pluginRepositories>
      <pluginRepository><id>here</id><url>file://${store}</url></pluginRepository>
    </pluginRepositories>
  </profile></profiles>
  <activeProfiles><activeProfile>published</activeProfile></activeProfiles>
</settings>
")
set(ENV{JAVA_HOME} ${JDK})
run(${MVN} --batch-mode --no-transfer-progress --quiet --settings ${room}/settings.xml
    -Dmaven.repo.local=${room}/store package)

execute_process(COMMAND ${JDK}/bin/java -version ERROR_VARIABLE said)
set(flags)
if(said MATCHES "version \"([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 24)
    set(flags --enable-native-access=ALL-UNNAMED)
endif()
set(path ${project}/target/verdicts-1.jar:${room}/store/dev/lately/lately/${version}/lately-${version}.jar)
check_verdicts(${JDK}/bin/java ${flags} -cp ${path} verdicts.Verdicts)
