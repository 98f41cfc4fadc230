package dev.lately.flink;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.functions.InvalidTypesException;
import org.apache.flink.api.common.typeinfo.LocalTimeTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.SqlTimeTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.CompositeType;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.EnumTypeInfo;
import org.apache.flink.api.java.typeutils.TypeExtractor;

/** What a key selector returns, and which bytes are the key then. */
final class KeyTypes {
    private KeyTypes() {
    }

    /** The key that a selector gives, of the type that its signature has. */
    static <T, K> RecordKey<T> of(KeySelector<T, K> selector) {
        return of(selector, type(selector));
    }

    private static <T, K> TypeInformation<K> type(KeySelector<T, K> selector) {
        try {
            return TypeExtractor.getKeySelectorTypes(selector, null);
        } catch (InvalidTypesException e) {
            throw new SettingException("the type of the key is not in the signature of its selector. Call "
                + "key(selector, type), with a type of " + Types.class.getName(), e);
        }
    }

    /** Bytes, text and 64-bit numbers are the keys that key(..), keyString(..) and keyLong(..) make of them. */
    @SuppressWarnings("unchecked")
    static <T, K> RecordKey<T> of(KeySelector<T, K> selector, TypeInformation<K> type) {
        if (type.equals(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)) {
            return RecordKey.bytes((KeySelector<T, byte[]>) selector);
        }
        if (type.equals(Types.STRING)) {
            return RecordKey.string((KeySelector<T, String>) selector);
        }
        if (type.equals(Types.LONG)) {
            return RecordKey.boxed((KeySelector<T, Long>) selector);
        }
        expectSameBytes(type, type);
        return new SerializedKey<>(selector, type.createSerializer(new ExecutionConfig().getSerializerConfig()));
    }

    /** Equal keys must have the same bytes, in each run and with each release of Flink. Kryo, maps and lists promise no such thing. */
    private static void expectSameBytes(TypeInformation<?> part, TypeInformation<?> all) {
        if (part instanceof CompositeType) {
            CompositeType<?> fields = (CompositeType<?>) part;
            for (int i = 0; i < fields.getArity(); i++) {
                expectSameBytes(fields.getTypeAt(i), all);
            }
        } else if (!part.isBasicType() && !(part instanceof PrimitiveArrayTypeInfo) && !(part instanceof EnumTypeInfo)
            && !(part instanceof LocalTimeTypeInfo) && !(part instanceof SqlTimeTypeInfo)) {
            throw new SettingException("the key is of type " + all + ": allowed are basic types, enums, dates, arrays of numbers, "
                + "and tuples, rows and POJOs of these, not " + part + ". Make text or bytes of it");
        }
    }
}
