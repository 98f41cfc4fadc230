//! One file per experiment: what is run, the formula beside it, the paper's figures beside both.

pub(crate) mod beyond;
pub(crate) mod beyond_contest;
pub(crate) mod contest;
mod contest_entrants;
pub(crate) mod contest_time;
mod contest_turns;
pub(crate) mod qht_contest;
pub(crate) mod qht_section_7;
pub(crate) mod qht_sections_3_and_4;
pub(crate) mod qht_table_1;
pub(crate) mod qht_table_3;
pub(crate) mod qht_table_5;
pub(crate) mod qht_tables_2_and_4;
pub(crate) mod qht_theorems;
pub(crate) mod time_limited;
pub(crate) mod time_limited_beyond;
pub(crate) mod time_limited_figures_1_to_3;
pub(crate) mod time_limited_figures_4_and_5;
pub(crate) mod time_limited_table_2;
pub(crate) mod tiny_set;
pub(crate) mod tiny_set_figure_12;
pub(crate) mod tiny_set_figure_14;
pub(crate) mod tiny_set_figure_15;
pub(crate) mod tiny_set_speed;
pub(crate) mod tiny_set_table_1;
pub(crate) mod tiny_set_tables_3_and_4;
pub(crate) mod tiny_set_tables_5_and_6;
