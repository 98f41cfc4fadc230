package dev.lately.flink;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;

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
    boolean isNew(Seen seen, T record) throws Exception {
        byte[] key = bytes(record);
        return seen.isNew(Arrays.hashCode(key), key);
    }

    private byte[] bytes(T record) throws Exception {
        K key = given(of.getKey(record), record);
        if (out == null) {
            out = new ByteArrayOutputStream(ENOUGH_FOR_MOST);
            view = new DataOutputViewStreamWrapper(out);
        }
        out.reset();
        try {
            serializer.serialize(key, view);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("the key of this record cannot be serialised, or a part of it is null: " + record, e);
        }
        return out.toByteArray();
    }

    @Override
    int form() {
        return 3;
    }
}
