package main

// NATS JetStream: a stream that remembers the ids of its messages for a time. Server and client are in this process.

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/lately/lately/evaluation/field/go/play"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	jetstreamModule = "github.com/nats-io/nats-server/v2"
	subject         = "field"
)

var jetstreamRival = play.Rival{
	Name: "jetstream", Module: jetstreamModule, Base: latelyRealName,
	Bytes: "HeapInuse after two collections, without that of the server before the stream was made",
	What: "an empty message with the key as its id is published and acknowledged, 64 under way at most, over a connection within the process; " +
		"the stream keeps one message in memory; the time includes the client's and the server's way",
	Windows: play.OfTime, Real: true,
	New:     newJetstream,
	Figures: jetstreamFigures,
}

type jetstreamSubject struct {
	home   string
	server *server.Server
	client *nats.Conn
	stream jetstream.JetStream
}

func newJetstream(w play.Workload, meter *play.Meter) (play.Subject, error) {
	s, err := startJetstream()
	if err != nil {
		return nil, err
	}
	meter.Begin()
	if _, err := s.create(time.Duration(w.Window)); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func startJetstream() (*jetstreamSubject, error) {
	home, err := os.MkdirTemp("", "field-jetstream")
	if err != nil {
		return nil, err
	}
	s := &jetstreamSubject{home: home}
	if err := s.connect(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *jetstreamSubject) connect() (err error) {
	options := &server.Options{DontListen: true, JetStream: true, StoreDir: s.home, NoLog: true, NoSigs: true}
	if s.server, err = server.NewServer(options); err != nil {
		return err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(10 * time.Second) {
		return fmt.Errorf("nats-server is not ready after 10 s")
	}
	if s.client, err = nats.Connect("", nats.InProcessServer(s.server)); err != nil {
		return err
	}
	s.stream, err = jetstream.New(s.client)
	return err
}

// create makes the stream. A window of 0 is one that is not given.
func (s *jetstreamSubject) create(window time.Duration) (*jetstream.StreamInfo, error) {
	stream, err := s.stream.CreateStream(context.Background(), jetstream.StreamConfig{
		Name: subject, Subjects: []string{subject}, Storage: jetstream.MemoryStorage, MaxMsgs: 1, Duplicates: window,
	})
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// Play publishes all keys of the part, and then waits for their acknowledgements.
func (s *jetstreamSubject) Play(part play.Part) error {
	answers := make([]jetstream.PubAckFuture, len(part.Verdicts))
	for i := range answers {
		answer, err := s.stream.PublishAsync(subject, nil, jetstream.WithMsgID(id(part.Key(i))))
		if err != nil {
			return err
		}
		answers[i] = answer
	}
	for i, answer := range answers {
		select {
		case ack := <-answer.Ok():
			part.Verdicts[i] = ack.Duplicate
		case err := <-answer.Err():
			return err
		}
	}
	return nil
}

// id of a key: a header is text.
func id(key []byte) string { return fmt.Sprintf("%016x", key) }

// Bytes are all known to the garbage collector.
func (s *jetstreamSubject) Bytes() (now, most uint64, err error) { return 0, 0, nil }

func (s *jetstreamSubject) Close() {
	if s.client != nil {
		s.client.Close()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	os.RemoveAll(s.home)
}

func jetstreamFigures() ([]play.Figure, error) {
	s, err := startJetstream()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	info, err := s.create(0)
	if err != nil {
		return nil, err
	}
	if err := s.stream.DeleteStream(context.Background(), subject); err != nil {
		return nil, err
	}
	age, err := s.ageWhenNew(time.Second)
	return []play.Figure{
		{What: "window of duplicates of a stream that was given none", Unit: "s", Documented: 120,
			Measured: info.Config.Duplicates.Seconds(), Law: "exactly", Source: "server/stream.go: StreamDefaultDuplicatesWindow"},
		{What: "age at which an id of a window of 1 s is new again", Unit: "s", Documented: 1, Measured: age.Seconds(), Law: "about", Slack: 0.1,
			Source: "jetstream.StreamConfig: Duplicates is the window within which to track duplicate messages"},
	}, err
}

// ageWhenNew publishes one id until it is new again. A duplicate does not renew its id.
func (s *jetstreamSubject) ageWhenNew(window time.Duration) (time.Duration, error) {
	if _, err := s.create(window); err != nil {
		return 0, err
	}
	start := time.Now()
	for first := true; ; first = false {
		ack, err := s.stream.Publish(context.Background(), subject, nil, jetstream.WithMsgID("once"))
		if err != nil {
			return 0, err
		}
		if age := time.Since(start); !first && !ack.Duplicate || age > 10*window {
			return age, nil
		}
		time.Sleep(time.Millisecond)
	}
}
