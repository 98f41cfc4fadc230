package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

/** What a consumer reads of this project: the POM that is installed with its jar, in Maven and in Gradle. */
class PomTest {
    private static final Path POM = Path.of(System.getProperty("lately.pom"));

    @Test
    void nothingInItIsLeftToTheConsumer() throws Exception {
        String pom = Files.readString(POM);
        assertFalse(pom.contains("${"), pom);
        assertFalse(pom.contains("<profile"), pom);
        assertFalse(pom.contains("systemPath"), pom);
    }

    @Test
    void itsOneDependencyIsTheBinding() throws Exception {
        Document pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(POM.toFile());
        NodeList all = pom.getElementsByTagName("dependency");
        Map<String, String> scopes = new HashMap<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element one = (Element) all.item(i);
            assertTrue(text(one, "version").matches("\\d+\\.\\d+.*"), text(one, "artifactId") + " " + text(one, "version"));
            scopes.put(text(one, "artifactId"), text(one, "scope").isEmpty() ? "compile" : text(one, "scope"));
        }
        assertEquals(Map.of("lately", "compile", "junit-jupiter", "test"), scopes);
        assertTrue(text(pom.getDocumentElement(), "version").matches("0\\.1\\.0-(1\\.20|2\\.\\d+)"), "its version names a line of Flink");
    }

    /** The text of the first element of this name, empty without one. */
    private static String text(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }
}
