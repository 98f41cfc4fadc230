package lately_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

// once is a middleware of net/http that handles each request once.
func once(seen *lately.Filter, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("Idempotency-Key")
		if id == "" {
			next.ServeHTTP(w, r)
			return
		}
		claim, err := seen.ClaimString(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer claim.Abandon() // if the handler fails or panics; nothing after a commit
		switch claim.Verdict() {
		case lately.Pending:
			http.Error(w, "in progress", http.StatusConflict)
		case lately.Duplicate:
			fmt.Fprintln(w, "done before")
		case lately.New:
			answer := &statusOf{ResponseWriter: w, status: http.StatusOK}
			next.ServeHTTP(answer, r)
			if answer.status >= 500 {
				return
			}
			if _, err := claim.Commit(); err != nil {
				log.Printf("the request was handled, and may be again: %v", err)
			}
		}
	})
}

// statusOf remembers the status of an answer.
type statusOf struct {
	http.ResponseWriter
	status int
}

func (s *statusOf) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// A middleware that handles each request once, also if it is sent again.
func Example_middleware() {
	options := lately.Window(10 * time.Minute)
	options.Lease, options.Memory = 30*time.Second, 64<<20
	seen, err := lately.NewFilter(options)
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()

	var post func() string
	calls := 0
	pay := once(seen, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			http.Error(w, "the bank failed", http.StatusBadGateway)
			return
		}
		fmt.Print("meanwhile: ", post()) // sent again while the first is in progress
		fmt.Fprintln(w, "paid")
	}))
	post = func() string {
		request, answer := httptest.NewRequest("POST", "/pay", nil), httptest.NewRecorder()
		request.Header.Set("Idempotency-Key", "order-17")
		pay.ServeHTTP(answer, request)
		return fmt.Sprint(answer.Code, " ", answer.Body)
	}
	for range 3 {
		fmt.Print(post())
	}
	// Output:
	// 502 the bank failed
	// meanwhile: 409 in progress
	// 200 paid
	// 200 done before
}
