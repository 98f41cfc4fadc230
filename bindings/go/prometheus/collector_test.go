package prometheus

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/lately/lately/bindings/go"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// row is one of the table that every exporter has.
type row struct{ name, kind, source, divisor, help string }

func table(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("../../../packaging/metrics/metrics.tsv")
	must(t, err)
	var rows []row
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		places := " " + cells[4] + " "
		if strings.Contains(places, " all ") || strings.Contains(places, " go ") {
			rows = append(rows, row{cells[0], cells[1], cells[2], cells[3], cells[5]})
		}
	}
	return rows
}

// figure is the field of the statistics that C calls by this name.
func figure(t *testing.T, stats lately.Stats, source string) float64 {
	t.Helper()
	var name string
	for _, word := range strings.Split(strings.TrimSuffix(source, "_ns"), "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	field := reflect.ValueOf(stats).FieldByName(name)
	switch {
	case !field.IsValid():
		t.Fatalf("no field %s", name)
	case field.CanFloat():
		return field.Float()
	case field.CanInt():
		return float64(field.Int())
	}
	return float64(field.Uint())
}

// scrape serves the collectors, and gives the lines of one answer.
func scrape(t *testing.T, collectors ...prometheus.Collector) map[string]bool {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	for _, c := range collectors {
		must(t, registry.Register(c))
	}
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer server.Close()
	answer, err := http.Get(server.URL)
	must(t, err)
	defer answer.Body.Close()
	lines := map[string]bool{}
	for scanner := bufio.NewScanner(answer.Body); scanner.Scan(); {
		lines[scanner.Text()] = true
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v", answer.Status, lines)
	}
	return lines
}

// options ask for every limit that there is.
func options() lately.Options {
	o := lately.Window(10 * time.Minute)
	o.Clock, o.MaxStep, o.Lateness = lately.ManualClock, time.Second, time.Millisecond
	o.Memory, o.ErrorRate = 4096, 1e-4
	return o
}

// open makes a filter with these options.
func open(t *testing.T, o lately.Options) *lately.Filter {
	t.Helper()
	filter, err := lately.NewFilter(o)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	return filter
}

// busy is a filter in which most counts of a window table are not 0.
func busy(t *testing.T) *lately.Filter {
	t.Helper()
	filter := open(t, options())
	for i := range 20_000 {
		_, err := filter.AtTick(lately.Tick(5_000_000 + i*1000)).ObserveString(strconv.Itoa(i % 15_000))
		must(t, err)
	}
	_, err := filter.AtTick(1).ObserveString("late")
	must(t, err)
	if _, err := filter.AtTick(1 << 62).ObserveString("refused"); !errors.Is(err, lately.ErrTick) {
		t.Fatal(err)
	}
	if removed, err := filter.RemoveString(strconv.Itoa(19_999 % 15_000)); !removed || err != nil {
		t.Fatal("the last key is not there", err)
	}
	return filter
}

func collectorOf(t *testing.T, name string, filter Source, o lately.Options) prometheus.Collector {
	t.Helper()
	c, err := NewCollector(name, filter, o)
	must(t, err)
	return c
}

func TestScrape_everyMetric_isTheFigureOfStats(t *testing.T) {
	filter := busy(t)
	collector := collectorOf(t, "orders", filter, options())
	if problems, err := testutil.CollectAndLint(collector); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	lines := scrape(t, collector)
	stats, err := filter.Stats()
	must(t, err)
	if stats.LateTicks == 0 || stats.RefusedTicks == 0 || stats.DuplicateCount == 0 || stats.Forgotten == 0 || stats.Removed != 1 {
		t.Fatalf("a count is 0, and shows nothing: %+v", stats)
	}
	asked := map[string]float64{"options.memory": 4096, "options.window_ns": 600e9, "options.error_rate": 1e-4}
	rows := table(t)
	for _, r := range rows {
		want, ok := asked[r.source]
		if !ok {
			want = figure(t, stats, r.source)
		}
		divisor, err := strconv.ParseFloat(r.divisor, 64)
		must(t, err)
		for _, line := range []string{
			fmt.Sprintf("# HELP %s %s", r.name, r.help),
			fmt.Sprintf("# TYPE %s %s", r.name, r.kind),
			fmt.Sprintf("%s{filter=\"orders\"} %s", r.name, strconv.FormatFloat(want/divisor, 'g', -1, 64)),
		} {
			if !lines[line] {
				t.Errorf("the scrape lacks %q", line)
			}
		}
	}
	if len(lines) != 3*len(rows) {
		t.Errorf("%d lines for %d metrics: %v", len(lines), len(rows), lines)
	}
}

func TestScrape_ofSeveralFilters_hasThoseThatAreOpen(t *testing.T) {
	o := lately.Last(4000)
	one, two, closed := open(t, o), open(t, o), open(t, o)
	_, err := two.ObserveString("a")
	must(t, err)
	closed.Close()
	plan, err := lately.Plan(o)
	must(t, err)
	lines := scrape(t, collectorOf(t, "one", one, o), collectorOf(t, "two", two, o), collectorOf(t, "closed", closed, o))
	for _, line := range []string{
		`lately_new_total{filter="one"} 0`, `lately_new_total{filter="two"} 1`,
		`lately_error_limit_ratio{filter="one"} ` + strconv.FormatFloat(plan.ErrorRateWorst, 'g', -1, 64),
	} {
		if !lines[line] {
			t.Errorf("the scrape lacks %q", line)
		}
	}
	for line := range lines {
		if strings.Contains(line, "lately_window_seconds") || strings.Contains(line, "limit_bytes") ||
			strings.Contains(line, "closed") {
			t.Errorf("%q was not asked for", line)
		}
	}
}

// broken has no statistics.
type broken struct{}

func (broken) Stats() (lately.Stats, error) { return lately.Stats{}, lately.ErrPoisoned }

func TestScrape_ofABrokenFilter_fails(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(collectorOf(t, "broken", broken{}, lately.Last(1000)))
	if _, err := registry.Gather(); err == nil || !strings.Contains(err.Error(), lately.ErrPoisoned.Error()) {
		t.Error(err)
	}
}

func TestNewCollector_ofOptionsOfNoFilter_fails(t *testing.T) {
	if _, err := NewCollector("none", broken{}, lately.Options{}); !errors.Is(err, lately.ErrOption) {
		t.Error(err)
	}
}
