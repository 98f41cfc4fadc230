//! One file per experiment: what is run, the formula beside it, the paper's figures beside both.

pub(crate) mod beyond;
pub(crate) mod beyond_contest;
pub(crate) mod qht_contest;
pub(crate) mod qht_table_1;
pub(crate) mod qht_table_3;
pub(crate) mod qht_table_5;
pub(crate) mod qht_tables_2_and_4;
pub(crate) mod qht_theorems;
