package docket

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrAway says that the server of the database could not be reached, or ended meanwhile.
var ErrAway = errors.New("the database is away")

// How long what has to be written waits for the server, and how long between two attempts.
const (
	patience  = 60 * time.Second
	nextTry   = 500 * time.Millisecond
	shutsDown = "57" // of SQLSTATE: operator intervention
	noLine    = "08" // connection exception
	tooMany   = "53" // insufficient resources
)

// isAway tells that a server is not there from everything that it may say.
func isAway(err error) bool {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return said.Code != "57014" && (strings.HasPrefix(said.Code, shutsDown) || strings.HasPrefix(said.Code, noLine) || strings.HasPrefix(said.Code, tooMany))
	}
	_, refused := errors.AsType[*pgconn.ConnectError](err)
	_, line := errors.AsType[net.Error](err)
	return refused || line || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// patiently does what a server has to do, and again while it is away. f leaves nothing behind when it fails. A file is never
// away.
func (d *Docket) patiently(ctx context.Context, f func() error) error {
	if !d.OnServer() {
		return f()
	}
	limit, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := f()
		if err == nil || !isAway(err) {
			return err
		}
		rest, over := context.WithTimeout(limit, nextTry)
		<-rest.Done()
		over()
		if limit.Err() != nil {
			return fmt.Errorf("%w: %w", ErrAway, err)
		}
	}
}
