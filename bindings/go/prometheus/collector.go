// Package prometheus hands the statistics of a filter to Prometheus.
//
//	options := lately.Window(10 * time.Minute)
//	seen, err := lately.NewFilter(options)
//	...
//	collector, err := latelyprom.NewCollector("orders", seen, options)
//	...
//	prometheus.MustRegister(collector)
//
// The metrics are those of docs/reference/metrics.md, with the label filter. It is a
// module of its own, so that a program without Prometheus builds none of it.
package prometheus

import (
	"errors"
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/lately/lately/bindings/go"
)

// Source is what has statistics: a [lately.Filter].
type Source interface {
	Stats() (lately.Stats, error)
}

// metric is a figure of the statistics.
type metric struct {
	name  string
	kind  prometheus.ValueType
	value func(*lately.Stats) float64
	help  string
}

// limit is a figure of what was asked for.
type limit struct {
	name  string
	value func(*askedFor) float64
	help  string
}

// askedFor is what was asked for, in the units of the metrics; 0 is not.
type askedFor struct {
	memory, window, errorRate float64
}

// collector asks the filter at each scrape, once.
type collector struct {
	filter Source
	stats  []*prometheus.Desc
	asked  []prometheus.Metric
	limits []*prometheus.Desc
}

// NewCollector makes the collector of a filter, whose metrics have the label
// filter with that name. The options are those that made the filter: they show
// what was asked for next to the current figures. Register one collector for each filter,
// each with another name; a scrape of a filter that was closed has none of its
// metrics.
func NewCollector(name string, filter Source, options lately.Options) (prometheus.Collector, error) {
	plan, err := lately.Plan(options)
	if err != nil {
		return nil, err
	}
	c := &collector{filter: filter}
	describe := func(metric, help string) *prometheus.Desc {
		return prometheus.NewDesc(metric, help, nil, prometheus.Labels{"filter": name})
	}
	for _, m := range stats {
		c.stats = append(c.stats, describe(m.name, m.help))
	}
	wanted := ask(options, plan)
	for _, l := range asked {
		if value := l.value(&wanted); value != 0 {
			desc := describe(l.name, l.help)
			c.limits = append(c.limits, desc)
			c.asked = append(c.asked, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value))
		}
	}
	return c, nil
}

// ask is what the options ask for, or what their plan makes of it.
func ask(options lately.Options, plan lately.PlanResult) askedFor {
	rate := options.ErrorRate
	if rate == 0 && !math.IsNaN(plan.ErrorRateWorst) {
		rate = plan.ErrorRateWorst
	}
	return askedFor{float64(options.Memory), options.Window.Seconds(), rate}
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range c.stats {
		to <- desc
	}
	for _, desc := range c.limits {
		to <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	now, err := c.filter.Stats()
	if errors.Is(err, lately.ErrClosed) {
		return
	}
	if err != nil {
		to <- prometheus.NewInvalidMetric(c.stats[0], err)
		return
	}
	for i, m := range stats {
		to <- prometheus.MustNewConstMetric(c.stats[i], m.kind, m.value(&now))
	}
	for _, m := range c.asked {
		to <- m
	}
}
