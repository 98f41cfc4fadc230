//! Options as serde writes them: what was given, and never the secret.
//!
//! Reading is derived, in `options`. Writing is not, for it knows two forms: text has the options that were given and no
//! others; bytes without names have all of them, in the order of the struct, for that is how they are read.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::field::option_table;
use crate::options::Options;

/// Writes `kind` and the fields of the table. Each of the struct is here, in its order, except the secret and what no plan takes: a new
/// one that is not does not compile.
macro_rules! write_fields {
    ({} { $($kind:tt)* } { $($before:tt)+ } { $($secret:tt)* } { $($after:tt)+ }) => {
        write_fields! { $($before)+ $($after)+ }
    };
    ($($(#[$doc:meta])+ $number:literal $variant:ident $field:ident: $type:ident = $shape:ident $least:literal;)+) => {
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

option_table!([write_fields] {});
