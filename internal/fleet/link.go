package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/log"
)

// Errors that callers tell from others.
var (
	ErrUnreachable = errors.New("no server of Temporal answers there")
	ErrPlain       = errors.New("the server is not on this machine, and the connection to it would not be encrypted")
)

// Link is how the server of a crew is reached, and by whom.
type Link struct {
	Getenv    func(string) string // has TEMPORAL_ADDRESS and the like
	Plaintext bool                // another machine may be reached without TLS
	Name      string              // of this process; empty: a random one. It is never the name of the machine
	Log       *slog.Logger
}

// reachTime is how long a server has to answer.
const reachTime = 10 * time.Second

// dial reaches the server.
func (l *Link) dial(ctx context.Context) (client.Client, error) {
	o, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{EnvLookup: environment{l.Getenv}})
	if err != nil {
		return nil, fmt.Errorf("reading the settings of Temporal: %w", err)
	}
	o.HostPort = cmp.Or(o.HostPort, client.DefaultHostPort)
	if o.ConnectionOptions.TLS == nil && !l.Plaintext && !onLoopback(o.HostPort) {
		return nil, fmt.Errorf("reaching the crew at %s: %w", o.HostPort, ErrPlain)
	}
	if l.Name == "" {
		l.Name = RandomName()
	}
	o.Identity, o.Logger = l.Name, log.NewStructuredLogger(l.Log)
	limit, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	line, err := (&net.Dialer{}).DialContext(limit, "tcp", o.HostPort) // says more plainly what is wrong
	if err == nil {
		err = line.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("reaching the crew at %s: %w: %w", o.HostPort, ErrUnreachable, cause(err))
	}
	c, err := client.DialContext(limit, o)
	if err != nil {
		return nil, fmt.Errorf("reaching the crew at %s: %w: %w", o.HostPort, ErrUnreachable, err)
	}
	return c, nil
}

// cause is what the system says.
func cause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// RandomName is six hexadecimal digits.
func RandomName() string {
	raw := make([]byte, 3)
	_, _ = rand.Read(raw) // it never fails
	return hex.EncodeToString(raw)
}

// environment is a lookup as the SDK wants it.
type environment struct{ get func(string) string }

// variables are those that are read: what is sent to a server that encodes payloads, and what the SDK may read one day, are not.
var variables = []string{
	"TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "TEMPORAL_API_KEY", "TEMPORAL_TLS", "TEMPORAL_TLS_CLIENT_CERT_PATH", "TEMPORAL_TLS_CLIENT_CERT_DATA",
	"TEMPORAL_TLS_CLIENT_KEY_PATH", "TEMPORAL_TLS_CLIENT_KEY_DATA", "TEMPORAL_TLS_SERVER_CA_CERT_PATH", "TEMPORAL_TLS_SERVER_CA_CERT_DATA",
	"TEMPORAL_TLS_SERVER_NAME", "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION", "TEMPORAL_CONFIG_FILE", "TEMPORAL_PROFILE",
}

// Environ lists nothing: metadata of requests is not taken from the environment.
func (e environment) Environ() []string { return nil }

// LookupEnv gives a variable.
func (e environment) LookupEnv(key string) (string, bool) {
	if !slices.Contains(variables, key) {
		return "", false
	}
	v := e.get(key)
	return v, v != ""
}

var plain = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// Queue is where the workflows of a version of this program wait: a worker of another version never has one of its cases.
func Queue(name, version string) string { return name + "." + plain.ReplaceAllString(version, "-") }
