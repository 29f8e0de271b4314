package cli

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aead.dev/minisign"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
)

// passwordVariable holds the password of a secret key where nobody sits at a terminal.
const passwordVariable = "AUTOMATON_KEY_PASSWORD"

// Names and sizes of the files of keys and signatures.
const (
	signatureEnd = ".minisig"
	publicEnd    = ".pub"
	mostKey      = 4 << 10 // bytes of a key or a signature
)

// signFlags say with what is signed, or that a key is made.
type signFlags struct {
	key, fresh string
	open       bool // the new key has no password
}

func (a *app) signCommand() *cobra.Command {
	var o signFlags
	c := &cobra.Command{
		Use: "sign [RECORD...]", Short: "Signs records, so that others can tell who stands for them",
		Long: "RECORD is a case folder or a record.json; without it, the latest case in the folder of --out. The bytes of record.json are signed, and the signature lies beside it as record.json.minisig: verify --key checks it, and so does minisign -V. " +
			"--new-key makes FILE with the secret key and FILE.pub with the public one, in minisign's format. The password of a secret key is asked for on the terminal, or read from " + passwordVariable + ".",
		Example: "  automaton sign --new-key court.key\n  automaton sign automaton-out/OWNER__NAME-1234567 --key court.key\n  automaton verify automaton-out/OWNER__NAME-1234567 --key court.key.pub",
		RunE:    func(c *cobra.Command, args []string) error { return a.sign(c, args, o) },
	}
	f := c.Flags()
	f.StringVar(&o.key, "key", "", "`FILE` secret key to sign with")
	f.StringVar(&o.fresh, "new-key", "", "`FILE` new secret key to make; the public key is written beside it")
	f.BoolVar(&o.open, "no-password", false, "protect the new key by nothing but the rights of its file")
	outFlag(c)
	return c
}

func (a *app) sign(c *cobra.Command, args []string, o signFlags) error {
	if err := a.settle(c, "", false); err != nil {
		return err
	}
	switch {
	case o.fresh != "" && (o.key != "" || len(args) > 0):
		return usage("make the key first, then sign with it", "reading flags: --new-key makes a key and signs nothing")
	case o.fresh != "":
		return a.newKey(o)
	case o.open:
		return usage("leave it out", "reading flags: --no-password is for --new-key")
	case o.key == "":
		return usage("automaton sign --new-key FILE makes one", "reading flags: --key FILE is missing")
	}
	files, err := a.toSign(args)
	if err != nil {
		return err
	}
	key, err := a.secretKey(o.key)
	if err != nil {
		return err
	}
	now, err := a.clock()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := store.WriteFile(f.path+signatureEnd, signature(key, f, now())); err != nil {
			return coded(exitUnexamined, err)
		}
	}
	return a.through(func(w *lines) error {
		for _, f := range files {
			w.f("signed %s with key %016X: %s\n", f.rec.Digest, key.ID(), shown(f.path+signatureEnd))
		}
		return nil
	})
}

// signable is a record in a file of its own.
type signable struct {
	path string
	rec  *court.Record
	raw  []byte
}

// toSign reads all records that are to be signed. One whose own digest does not hold is not signed.
func (a *app) toSign(args []string) (files []signable, err error) {
	if args, err = a.orLatest(args); err != nil {
		return nil, err
	}
	for _, name := range args {
		path, err := a.recordFile(name)
		if err != nil {
			return nil, err
		}
		f := signable{path: path}
		if f.rec, f.raw, err = a.stored(path, name); err != nil {
			return nil, err
		}
		if !f.rec.Intact() {
			return nil, coded(exitFailed, fmt.Errorf("signing %q: its content does not give its digest", name), "automaton verify "+name+" says more")
		}
		files = append(files, f)
	}
	return files, nil
}

// recordFile is the file of a record that is signed: a page holds a record, but is another file.
func (a *app) recordFile(name string) (string, error) {
	path := a.path(name)
	if isFolder(path) {
		return filepath.Join(path, caseFiles["json"]), nil
	}
	if name == "-" || filepath.Ext(path) != ".json" {
		return "", usage("give the case folder, or its "+caseFiles["json"], "reading record %q: a signature is of the file %s", name, caseFiles["json"])
	}
	return path, nil
}

// signature signs the bytes of a record. Its trusted comment is signed as well, and says when, and of which case.
func signature(key minisign.PrivateKey, f signable, now time.Time) []byte {
	r := minisign.NewReader(bytes.NewReader(f.raw)) // the form with a hash first, which other programs ask for
	_, _ = io.Copy(io.Discard, r)                   // memory is read without errors
	trusted := fmt.Sprintf("timestamp:%d\tfile:%s\tcase:%s\t%s", now.Unix(), filepath.Base(f.path), store.SafeName(f.rec.Case.ID), f.rec.Digest)
	return r.SignWithComments(key, trusted, fmt.Sprintf("signature of a record by key %016X", key.ID()))
}

// newKey makes a key in two new files.
func (a *app) newKey(o signFlags) error {
	path := a.path(o.fresh)
	for _, end := range []string{"", publicEnd} {
		if _, err := os.Lstat(path + end); !errors.Is(err, fs.ErrNotExist) {
			return usage("name another file", "making a key: %q is there already", o.fresh+end)
		}
	}
	public, secret, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		return coded(exitBug, err)
	}
	text, err := secret.MarshalText()
	if err == nil && !o.open {
		var password string
		if password, err = a.password(o.fresh, true); err == nil {
			text, err = minisign.EncryptKey(password, secret)
		}
	}
	if err != nil {
		return err
	}
	about, err := public.MarshalText()
	if err := errors.Join(err, writeKey(path, text, 0o600), writeKey(path+publicEnd, about, 0o644)); err != nil { // #nosec G302 -- everybody may read a public key
		return coded(exitUnexamined, err)
	}
	return a.print(fmt.Appendf(nil, "secret key %s: keep it to yourself\npublic key %s: give it to those who verify, or tell them\n%s\n", shown(o.fresh), shown(o.fresh+publicEnd), public))
}

// writeKey writes a file that is not there yet.
func writeKey(path string, text []byte, rights os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, rights)
	if err == nil {
		_, err = f.Write(append(text, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("writing key %q: %w", path, config.Cause(err))
	}
	return nil
}

// secretKey reads a secret key that nobody else can read.
func (a *app) secretKey(name string) (key minisign.PrivateKey, err error) {
	path := a.path(name)
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		return key, usage("chmod 600 "+name, "reading --key %q: others can read it", name)
	}
	raw, err := config.ReadFile(path, mostKey)
	if err != nil {
		return key, usage("", "reading --key %q: %w", name, err)
	}
	raw = bytes.TrimSpace(raw)
	if !minisign.IsEncrypted(raw) {
		if err := key.UnmarshalText(raw); err != nil {
			return key, usage("automaton sign --new-key FILE makes one", "reading --key %q: it is not a secret key of minisign", name)
		}
		return key, nil
	}
	password, err := a.password(name, false)
	if err != nil {
		return key, err
	}
	if key, err = minisign.DecryptKey(password, raw); err != nil {
		return key, usage("", "reading --key %q: the password does not open it, or the file is damaged", name)
	}
	return key, nil
}

// password is what protects a key: of the environment, or of who sits at the terminal, who types a new one twice.
func (a *app) password(name string, fresh bool) (string, error) {
	if p := a.getenv(passwordVariable); p != "" {
		return p, nil
	}
	f, ok := a.Stdin.(*os.File)
	if !ok || a.flags.noInput || !term.IsTerminal(int(f.Fd())) {
		return "", usage("set "+passwordVariable, "reading the password of %q: nobody sits at a terminal", name)
	}
	asks := []string{"password of " + name + ": "}
	if fresh {
		asks = append(asks, "once more: ")
	}
	var said []string
	for _, ask := range asks {
		_, _ = a.Stderr.Write([]byte(shown(ask) + " "))
		raw, err := term.ReadPassword(int(f.Fd()))
		_, _ = a.Stderr.Write([]byte("\n"))
		if err != nil {
			return "", usage("", "reading the password of %q: %w", name, config.Cause(err))
		}
		said = append(said, string(raw))
	}
	switch {
	case said[0] == "":
		return "", usage("--no-password makes a key without one", "reading the password of %q: it is empty", name)
	case said[0] != said[len(said)-1]:
		return "", usage("", "reading the password of %q: the two are not the same", name)
	}
	return said[0], nil
}

// publicKey reads a public key: a file, or the key itself.
func (a *app) publicKey(name string) (key minisign.PublicKey, err error) {
	text := []byte(name)
	if path := a.path(name); isFile(path) {
		if text, err = config.ReadFile(path, mostKey); err != nil {
			return key, usage("", "reading --key %q: %w", name, err)
		}
	}
	if err := key.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		return key, usage("give the file that ends in "+publicEnd+", or the line of it that begins with RW", "reading --key %q: it is not a file, nor a public key of minisign", name)
	}
	return key, nil
}

// signatureCheck is how verify calls what it says of a signature.
const signatureCheck = "signature"

// signed checks the signature of the record that a command was given.
func (a *app) signed(args []string, raw []byte, key string) (line store.Line, err error) {
	public, err := a.publicKey(key)
	if err != nil {
		return line, err
	}
	if args, err = a.orLatest(args); err != nil {
		return line, err
	}
	path, err := a.recordFile(args[0])
	if err != nil {
		return line, err
	}
	return checked(path, raw, public), nil
}

// checked holds a record's bytes against the signature that lies beside its file.
func checked(path string, raw []byte, key minisign.PublicKey) store.Line {
	no := func(format string, args ...any) store.Line {
		return store.Line{Check: signatureCheck, Result: store.No, Text: fmt.Sprintf(format, args...)}
	}
	name := filepath.Base(path) + signatureEnd
	text, err := config.ReadFile(path+signatureEnd, mostKey)
	if errors.Is(err, fs.ErrNotExist) {
		return no("there is no %s: the record is not signed", name)
	}
	if err != nil {
		return no("%s cannot be read: %v", name, err)
	}
	var s minisign.Signature
	if err := s.UnmarshalText(text); err != nil {
		return no("%s is not a whole signature (%s)", name, strings.TrimPrefix(err.Error(), "minisign: "))
	}
	switch {
	case s.KeyID != key.ID():
		return no("%s was made with key %016X, and --key is %016X", name, s.KeyID, key.ID())
	case !minisign.Verify(key, raw, text):
		return no("%s does not fit: it is of another record, or one of the two was changed since", name)
	}
	return store.Line{Check: signatureCheck, Result: store.OK, Text: fmt.Sprintf("signed with key %016X, %s", key.ID(), strings.ReplaceAll(s.TrustedComment, "\t", ", "))}
}
