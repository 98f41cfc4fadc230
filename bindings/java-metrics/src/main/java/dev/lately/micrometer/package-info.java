/** The statistics of a filter as meters of Micrometer: {@link dev.lately.micrometer.FilterMetrics}. */
package dev.lately.micrometer;
