package dev.lately;

/** A program whose native library makes a mistake on purpose: it continues calling with an exception pending. */
public final class Faulty {
    private Faulty() {
    }

    static native void callWithPendingException();

    /**
     * Makes the mistake, and ends well.
     *
     * @param args the library's file
     */
    @SuppressWarnings("restricted")
    public static void main(String[] args) {
        System.load(args[0]);
        try {
            callWithPendingException();
        } catch (IllegalStateException expected) {
            System.out.println("the faulty call came back");
        }
    }
}
