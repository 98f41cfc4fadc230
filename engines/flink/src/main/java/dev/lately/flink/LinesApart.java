package dev.lately.flink;

/** A way to have {@link Lines} taken apart: into sides, which are deflated, and prints, which are not. */
interface LinesApart {
    /** Bytes of the sides of so many lines in which each cell is taken. */
    int mostSides(int count);

    /** Puts so many lines together; whether they are lines, and the sides so many bytes as they need. */
    boolean together(byte[] sides, int length, BitsIn prints, byte[] lines, int count);
}
