/**
 * Duplicate detection in Flink jobs: {@link dev.lately.flink.Deduplicate} has the settings and adds the operator to a job,
 * {@link dev.lately.flink.DeduplicateOperator} does it. {@link dev.lately.flink.OnceTableFactory} is the connector of SQL.
 *
 * <p>The annotations on classes are Flink's and mean here what they mean there: what is {@code @PublicEvolving} may change with
 * a minor release, what is {@code @Experimental} with any.
 */
package dev.lately.flink;
