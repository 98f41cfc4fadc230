//! Options as serde writes them: what was given, and never the secret.
//!
//! Reading is derived, in `options`. Writing is not, for it knows two forms: text has the options that were given and no
//! others; bytes without names have all of them, in the order of the struct, for that is how they are read.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::options::Options;

/// Writes `kind` and these fields. Each of the struct is here, in its order, except the secret and what no plan takes: a new one that
/// is not does not compile.
macro_rules! write_fields {
    ($($field:ident)+) => {
        impl Serialize for Options {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let Self { kind, secret: _, too_long: _, $($field),+ } = self;
                let all = !serializer.is_human_readable();
                let count = 1 + [$($field.is_some()),+].into_iter().filter(|is_given| all || *is_given).count();
                let mut out = serializer.serialize_struct("Options", count)?;
                out.serialize_field("kind", kind)?;
                $(if all || $field.is_some() {
                    out.serialize_field(stringify!($field), $field)?;
                } else {
                    out.skip_field(stringify!($field))?;
                })+
                out.end()
            }
        }
    };
}

write_fields! {
    window_ns clock repeat on_limit window_keys capacity error_rate miss_rate memory max_step_ns k l max_slices fill
    variant fingerprint_bits semi_sort removable block_bytes chains load keyed seed age_bits
    lateness_ns lease_ns max_claims
}
