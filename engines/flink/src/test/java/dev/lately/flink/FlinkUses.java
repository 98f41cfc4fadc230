package dev.lately.flink;

import org.apache.flink.shaded.asm9.org.objectweb.asm.AnnotationVisitor;
import org.apache.flink.shaded.asm9.org.objectweb.asm.ClassReader;
import org.apache.flink.shaded.asm9.org.objectweb.asm.ClassVisitor;
import org.apache.flink.shaded.asm9.org.objectweb.asm.ClassWriter;
import org.apache.flink.shaded.asm9.org.objectweb.asm.MethodVisitor;
import org.apache.flink.shaded.asm9.org.objectweb.asm.Opcodes;
import org.apache.flink.shaded.asm9.org.objectweb.asm.commons.ClassRemapper;
import org.apache.flink.shaded.asm9.org.objectweb.asm.commons.Remapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of Flink a class file names that is not promised to stay. Class files are read, since Flink 1.20 does not keep its
 * annotations for reflection.
 */
final class FlinkUses {
    private static final String FLINK = "org/apache/flink/";
    private static final Set<String> PROMISES = Set.of("Public", "PublicEvolving");
    private static final Set<String> WARNINGS = Set.of("Internal", "Experimental", "VisibleForTesting");

    private final Map<String, Facts> known = new HashMap<>();
    private final Set<String> unstable = new TreeSet<>();
    private final Set<String> stable = new TreeSet<>();

    /** Reads a class file and remembers what it names. */
    void add(InputStream classFile) throws IOException {
        new ClassReader(classFile).accept(new ClassRemapper(new ClassWriter(0), new Names()), ClassReader.SKIP_FRAMES);
    }

    /** Classes by their short names, and `Class.member` for members of stable classes that are not. */
    Set<String> unstable() {
        return unstable;
    }

    Set<String> stable() {
        return stable;
    }

    /** The annotation of stability on a class file itself, null without one. */
    static String annotation(InputStream classFile) throws IOException {
        Facts facts = new Facts();
        new ClassReader(classFile).accept(facts, ClassReader.SKIP_CODE);
        return facts.label;
    }

    /** Whether a class file is of a public class. */
    static boolean isPublic(InputStream classFile) throws IOException {
        return (new ClassReader(classFile).getAccess() & Opcodes.ACC_PUBLIC) != 0;
    }

    /** Sees each name in a class file; renames nothing. */
    @SuppressWarnings("deprecation")
    private final class Names extends Remapper {
        @Override
        public String map(String type) {
            if (type.startsWith(FLINK)) {
                (isStable(type) ? stable : unstable).add(shortName(type));
            }
            return type;
        }

        @Override
        public String mapMethodName(String owner, String name, String descriptor) {
            member(owner, name + descriptor, name);
            return name;
        }

        @Override
        public String mapFieldName(String owner, String name, String descriptor) {
            member(owner, name, name);
            return name;
        }
    }

    /** A member that is called or overridden is that of the nearest class of Flink that declares it. */
    private void member(String owner, String signature, String name) {
        Facts facts = owner.startsWith("java/") || owner.startsWith("[") ? null : facts(owner);
        if (facts == null) {
            return;
        }
        if (owner.startsWith(FLINK) && facts.members.containsKey(signature)) {
            String label = facts.members.get(signature);
            if (isStable(owner) && label != null && WARNINGS.contains(label)) {
                unstable.add(shortName(owner) + "." + name);
            }
            return;
        }
        facts.parents.forEach(parent -> member(parent, signature, name));
    }

    /** Nested classes are as stable as the class around them. */
    private boolean isStable(String type) {
        Facts facts = facts(type);
        if (facts.label != null) {
            return PROMISES.contains(facts.label);
        }
        int nested = type.lastIndexOf('$');
        return nested > 0 && isStable(type.substring(0, nested));
    }

    private static String shortName(String type) {
        return type.substring(type.lastIndexOf('/') + 1).replace('$', '.');
    }

    private Facts facts(String type) {
        Facts facts = known.get(type);
        if (facts == null) {
            facts = new Facts();
            try (InputStream in = FlinkUses.class.getClassLoader().getResourceAsStream(type + ".class")) {
                new ClassReader(in).accept(facts, ClassReader.SKIP_CODE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            known.put(type, facts);
        }
        return facts;
    }

    /** What a class file says of itself. */
    private static final class Facts extends ClassVisitor {
        private final List<String> parents = new ArrayList<>();
        /** The annotation of each member, null without one. */
        private final Map<String, String> members = new HashMap<>();
        private String label;

        Facts() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            parents.addAll(List.of(interfaces));
            if (parent != null) {
                parents.add(parent);
            }
        }

        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
            String found = label(type);
            label = found == null ? label : found;
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            members.put(name + descriptor, null);
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public AnnotationVisitor visitAnnotation(String type, boolean visible) {
                    String found = label(type);
                    if (found != null) {
                        members.put(name + descriptor, found);
                    }
                    return null;
                }
            };
        }

        private static String label(String type) {
            String name = type.startsWith("L" + FLINK + "annotation/") ? shortName(type).replace(";", "") : "";
            return PROMISES.contains(name) || WARNINGS.contains(name) ? name : null;
        }
    }
}
