/**
 * Duplicate detection in Flink jobs: {@link dev.lately.flink.Deduplicate} says what is asked for and puts it into a job,
 * {@link dev.lately.flink.DeduplicateOperator} does it.
 */
package dev.lately.flink;
