package sandbox

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// throughUpstream asks the operator's proxy, which then resolves the name itself.
func (g *gate) throughUpstream(ctx context.Context, host string) (net.Conn, error) {
	conn, err := g.dialer(ctx, "tcp", upstreamAddress(g.upstream))
	if err != nil {
		return nil, fmt.Errorf("it cannot be reached: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	if g.upstream.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: g.upstream.Hostname(), MinVersion: tls.VersionTLS12})
	}
	err = askUpstream(conn, g.upstream.User, net.JoinHostPort(host, httpsPort))
	if err == nil && stop() {
		return conn, nil
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	return nil, errors.Join(fmt.Errorf("it does not let us through: %w", err), conn.Close())
}

func upstreamAddress(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	if u.Scheme == "https" {
		return net.JoinHostPort(u.Hostname(), httpsPort)
	}
	return net.JoinHostPort(u.Hostname(), "80")
}

func askUpstream(conn net.Conn, user *url.Userinfo, target string) error {
	head := "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
	if user != nil {
		password, _ := user.Password()
		head += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)) + "\r\n"
	}
	if _, err := io.WriteString(conn, head+"\r\n"); err != nil {
		return err
	}
	// byte by byte: nothing of the tunnel may stay in a buffer
	status, err := readStatus(bufio.NewReaderSize(&io.LimitedReader{R: oneByte{conn}, N: maxRequestHead}, 16))
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it hangs up")
	case err != nil:
		return err
	case status/100 == 2:
		return nil
	case status == http.StatusProxyAuthRequired:
		return errors.New("status 407, it wants a user and password that it knows")
	}
	return fmt.Errorf("status %d", status)
}

// readStatus reads the head of an answer to CONNECT. Nothing of it is repeated but the number: it may echo a password.
func readStatus(in *bufio.Reader) (int, error) {
	status := 0
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err != nil {
			return 0, err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" && !first {
			return status, nil
		}
		if f := strings.Fields(line); first {
			if len(f) > 1 && strings.HasPrefix(f[0], "HTTP/1.") && len(f[1]) == 3 {
				status, _ = strconv.Atoi(f[1]) // 0 when it is no number
			}
			if status < 100 {
				return 0, errors.New("it does not speak HTTP")
			}
		}
	}
}

// oneByte reads one byte at a time.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return o.r.Read(p[:1])
}
