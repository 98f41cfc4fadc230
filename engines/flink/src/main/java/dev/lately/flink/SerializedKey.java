package dev.lately.flink;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.types.NullFieldException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** A key of any type whose bytes Flink knows: its form in savepoints, which is the same for equal keys. */
final class SerializedKey<T, K> extends RecordKey<T> {
    private static final long serialVersionUID = 1;

    private static final int ENOUGH_FOR_MOST = 64;

    private final KeySelector<T, K> of;
    private final TypeSerializer<K> serializer;
    private transient ByteArrayOutputStream out;
    private transient DataOutputViewStreamWrapper view;

    SerializedKey(KeySelector<T, K> of, TypeSerializer<K> serializer) {
        this.of = of;
        this.serializer = serializer;
    }

    @Override
    public Integer getKey(T record) throws Exception {
        return Arrays.hashCode(bytes(record));
    }

    @Override
    Found look(Seen seen, T record) throws Exception {
        byte[] key = bytes(record);
        return key == null ? Found.NO_KEY : Found.of(seen.isNew(Arrays.hashCode(key), key));
    }

    /** Null where the key is, or a part of it that its type does not let be null. */
    private byte[] bytes(T record) throws Exception {
        K key = of.getKey(record);
        if (key == null) {
            return null;
        }
        if (out == null) {
            out = new ByteArrayOutputStream(ENOUGH_FOR_MOST);
            view = new DataOutputViewStreamWrapper(out);
        }
        out.reset();
        try {
            serializer.serialize(key, view);
        } catch (NullPointerException | NullFieldException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("the key of this record cannot be serialised: " + record, e);
        }
        return out.toByteArray();
    }

    @Override
    int form() {
        return 3;
    }
}
