package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/user"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/web"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr, as, tokens, header, cert, key string
	hosts                               []string
	readOnly, proxied, open             bool

	// Of what is begun from pages.
	allowNew  bool
	uploadMax string
	maxUpload int64 // bytes
	classFlags
	judging []string // names of flags that are for these alone
}

func (a *app) serveCommand() *cobra.Command {
	var o serveFlags
	c := &cobra.Command{
		Use: "serve [COHORT]", Short: "Shows a class in the browser, and takes decisions",
		Long: "COHORT is the folder that batch wrote, or one with the cases of single audits; without it, the working directory. Nothing is sent anywhere, and pages work without script. " +
			"The server listens on this machine alone unless --addr says otherwise, and then it asks for a token and an encrypted connection. " +
			"With --allow-new, people with the role start add submissions and have cases judged again, always by the rubric, the judges, the gate and the budget that the command line or the cohort has; COHORT may be a new folder then.",
		Example: "  automaton serve week2-cohort\n  automaton serve week3-cohort --allow-new -r rubric.json --fail-under 3\n  automaton serve week2-cohort --addr 0.0.0.0:7878 --host grades.example.org --token-file tokens --behind-proxy",
		Args:    atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			return a.serve(c, folder, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:7878", "`HOST:PORT` address to listen on; port 0 takes a free one")
	f.StringArrayVar(&o.hosts, "host", nil, "`HOST` further name under which browsers ask this server, with its port where it is not the usual one (repeatable)")
	f.BoolVar(&o.readOnly, "read-only", false, "show only: nothing can be decided or started")
	f.StringVar(&o.as, "as", "", "`NAME` who decides, in the log (default the user of this system)")
	f.StringVar(&o.tokens, "token-file", "", "`FILE` tokens that let people in, one a line: TOKEN, or ROLE NAME TOKEN with the role read, decide or start")
	f.StringVar(&o.header, "user-header", "", "`HEADER` request header in which the proxy says who asks")
	f.StringVar(&o.cert, "tls-cert", "", "`FILE` certificate, for https")
	f.StringVar(&o.key, "tls-key", "", "`FILE` key of the certificate")
	f.BoolVar(&o.proxied, "behind-proxy", false, "a proxy in front of this server encrypts the connection")
	f.BoolVar(&o.open, "open", false, "open the page in the browser")
	f.BoolVar(&o.allowNew, "allow-new", false, "let people with the role start add submissions and have cases judged again")
	f.StringVar(&o.uploadMax, "max-upload", "512M", "`SIZE` most that the files of one submission may have")
	own := map[string]bool{}
	f.VisitAll(func(x *pflag.Flag) { own[x.Name] = x.Name != "max-upload" })
	a.classFlags(c, &o.classFlags)
	f.VisitAll(func(x *pflag.Flag) { o.judging = append(o.judging, x.Name) })
	o.judging = slices.DeleteFunc(o.judging, func(name string) bool { return own[name] })
	return c
}

// serve shows a cohort until it is stopped.
func (a *app) serve(c *cobra.Command, folder string, o serveFlags) (err error) {
	if err := a.settle(c, "", o.audit.trust); err != nil {
		return err
	}
	access, err := a.access(o)
	if err != nil {
		return err
	}
	if err := a.starting(c, &o); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	h, d, n, err := a.toServe(ctx, folder, o)
	if err != nil {
		return err
	}
	defer func() {
		if stop(); n != nil {
			err = errors.Join(err, n.end())
		}
		err = errors.Join(err, d.Close())
		if h.scratch != "" {
			err = errors.Join(err, os.RemoveAll(h.scratch))
		}
	}()
	access.ReadOnly = access.ReadOnly || h.roster == "" // decisions need a cohort to be kept in
	log, err := a.visits(h, access.ReadOnly)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.close()) }()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return coded(exitUsage, fmt.Errorf("listening on %q: %w", o.addr, config.Cause(err)), "--addr names another address")
	}
	defer func() { _ = l.Close() }() // closed by the server, unless it never began
	access.Hosts = append(namesOf(l.Addr()), o.hosts...)
	shows := web.Options{Docket: d, Cohort: h.cohort, Folder: h.path, Name: h.name, Tool: a.tool(), Access: access, Loose: h.roster == "", Now: a.Now, Log: log.note, Hear: a.hearing(h)}
	if n != nil {
		shows.Start, shows.Reading, shows.MaxUpload = n, n.reading, n.files.most
	}
	s, err := web.New(shows)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	at := scheme + "://" + access.Hosts[0] + "/"
	a.note("serving %s at %s (Ctrl-C stops)", shown(h.name), at)
	if o.open {
		a.browse(at)
	}
	return a.answer(ctx, l, s.Handler(), o)
}

// starting reads the flags of what is begun from pages.
func (a *app) starting(c *cobra.Command, o *serveFlags) (err error) {
	for _, name := range o.judging {
		if !o.allowNew && c.Flags().Changed(name) {
			return usage("--allow-new lets people begin something", "reading flags: --%s is for what is begun from a page", name)
		}
	}
	if o.allowNew && o.readOnly {
		return usage("leave one of them out", "reading flags: --allow-new and --read-only contradict each other")
	}
	o.maxUpload, err = sizeOf("max-upload", o.uploadMax)
	return err
}

// toServe is the cohort of a folder, and what takes submissions in for it; nil: nothing does.
func (a *app) toServe(ctx context.Context, folder string, o serveFlags) (*class, *docket.Docket, *intake, error) {
	if o.allowNew {
		n, err := a.intake(ctx, folder, o)
		if err != nil {
			return nil, nil, nil, err
		}
		return n.s.class, n.s.docket, n, nil
	}
	h, err := a.earlier(folder)
	if err != nil {
		return nil, nil, nil, err
	}
	var d *docket.Docket
	if h != nil {
		d, err = a.openDocket(ctx, h, true)
	} else {
		h, d, err = a.loose(ctx, folder)
	}
	return h, d, nil, err
}

// loose makes a cohort of single audits that nothing is kept of; it has no roster.
func (a *app) loose(ctx context.Context, folder string) (*class, *docket.Docket, error) {
	temp, err := os.MkdirTemp("", "automaton-serve-")
	if err != nil {
		return nil, nil, coded(exitUnexamined, err)
	}
	d, err := docket.Open(ctx, temp, docket.Setup{Now: a.Now, Ruling: trial.Ruling})
	if err != nil {
		return nil, nil, errors.Join(coded(exitUnexamined, err), os.RemoveAll(temp))
	}
	c, err := batch.Loose(ctx, d, a.path(folder), a.Now())
	if err != nil {
		_ = errors.Join(d.Close(), os.RemoveAll(temp)) // what is wrong with the folder is told
		return nil, nil, coded(exitUsage, err, "COHORT is a folder that batch wrote, or one with cases that audit wrote")
	}
	a.note("%s holds single audits: they are shown, and nothing can be decided; automaton batch with a roster of the same repositories makes a class, in which you can decide", shown(folder))
	return &class{cohort: c, path: a.path(folder), name: folder, scratch: temp}, d, nil
}

// access is who may do what.
func (a *app) access(o serveFlags) (web.Access, error) {
	x := web.Access{UserHeader: o.header, As: o.as, ReadOnly: o.readOnly, Encrypted: o.cert != "" || o.proxied}
	host, _, err := net.SplitHostPort(o.addr)
	switch {
	case err != nil:
		return x, usage("--addr 127.0.0.1:7878", "reading flags: --addr %q is not HOST:PORT", o.addr)
	case o.as != "" && o.header != "":
		return x, usage("give one of them", "reading flags: --as and --user-header both say who decides")
	case o.header != "" && !o.proxied:
		return x, usage("--behind-proxy says that only a proxy reaches this server", "reading flags: --user-header can be sent by anybody where no proxy sets it")
	case (o.cert == "") != (o.key == ""):
		return x, usage("give both", "reading flags: --tls-cert and --tls-key belong together")
	}
	if !loopback(host) {
		switch {
		case o.tokens == "":
			return x, usage("--token-file FILE", "listening on %q: others than this machine reach it, and nobody needs a token", o.addr)
		case !x.Encrypted:
			return x, usage("--tls-cert and --tls-key, or --behind-proxy", "listening on %q: tokens would cross the network unencrypted", o.addr)
		}
	}
	if o.tokens != "" {
		raw, err := config.ReadFile(a.path(o.tokens), mostTokens)
		if err != nil {
			return x, coded(exitUsage, fmt.Errorf("reading --token-file: %w", err))
		}
		if x.Tokens, err = web.ParseTokens(string(raw)); err != nil {
			return x, usage(fmt.Sprintf("a token has at least %d bytes: openssl rand -hex 32 prints one", web.LeastSecret), "reading --token-file %q: %w", o.tokens, err)
		}
	}
	if x.As == "" {
		if u, err := user.Current(); err == nil {
			x.As = u.Username
		}
	}
	x.As = cmp.Or(x.As, "somebody")
	return x, nil
}

// mostTokens bounds a file of tokens, in bytes.
const mostTokens = 1 << 20

// namesOf are the names under which a server is asked that listens on an address.
func namesOf(at net.Addr) []string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return []string{at.String()}
	}
	port := fmt.Sprint(tcp.Port)
	if tcp.IP.IsLoopback() {
		return []string{net.JoinHostPort(tcp.IP.String(), port), net.JoinHostPort("localhost", port)}
	}
	if tcp.IP.IsUnspecified() {
		return []string{net.JoinHostPort("localhost", port), net.JoinHostPort("127.0.0.1", port)}
	}
	return []string{tcp.String()}
}

// Times that a browser may take, and the size of what it asks with.
const (
	headerTime = 10 * time.Second
	readTime   = time.Minute
	idleTime   = 2 * time.Minute
	stopTime   = 5 * time.Second
	maxHeaders = 32 << 10 // bytes
)

// answer serves until the context ends; what is being answered then may end first.
func (a *app) answer(ctx context.Context, l net.Listener, h http.Handler, o serveFlags) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
		BaseContext: func(net.Listener) context.Context { return ctx }, TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	ended := make(chan error, 1)
	go func() {
		if o.cert != "" {
			ended <- server.ServeTLS(l, a.path(o.cert), a.path(o.key))
		} else {
			ended <- server.Serve(l)
		}
	}()
	select {
	case err := <-ended:
		return coded(exitUsage, fmt.Errorf("serving: %w", config.Cause(err)))
	case <-ctx.Done():
	}
	rest, stop := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer stop()
	if err := server.Shutdown(rest); err != nil {
		_ = server.Close() // whoever still waits is let go
	}
	return nil
}
