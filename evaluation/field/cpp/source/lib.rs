//! Nothing: the manifest names a source.
