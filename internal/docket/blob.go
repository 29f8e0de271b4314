package docket

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// MostBlob is how many bytes a blob has at most.
const MostBlob = 512 << 20

const onePiece = 4 << 20 // bytes

// Digest names a blob: the SHA-256 of its bytes in lower-case hexadecimal digits.
func Digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

var encoder = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) })

// decoder refuses what unpacks to more than a blob may have.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MostBlob))
})

// keep stores a blob, if it is not there, packed where that makes it smaller. It gives its digest.
func (d *Docket) keep(ctx context.Context, tx *sql.Tx, raw []byte) (string, error) {
	if len(raw) > MostBlob {
		return "", fmt.Errorf("keeping a blob of %d bytes: the most is %d", len(raw), MostBlob)
	}
	digest := Digest(raw)
	z, err := encoder()
	if err != nil {
		return "", err
	}
	stored, codec := z.EncodeAll(raw, nil), "zstd"
	if len(stored) >= len(raw) {
		stored, codec = raw, "none"
	}
	done, err := tx.ExecContext(ctx, `insert into blob (digest, size, stored, codec, created) values ($1, $2, $3, $4, $5) on conflict (digest) do nothing`,
		digest, len(raw), len(stored), codec, stamp(d.now()))
	if err != nil {
		return "", err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return digest, err
	}
	for n := 0; n == 0 || n*onePiece < len(stored); n++ {
		part := stored[n*onePiece : min(len(stored), (n+1)*onePiece)]
		if _, err := tx.ExecContext(ctx, `insert into piece (digest, n, bytes) values ($1, $2, $3)`, digest, n, part); err != nil {
			return "", err
		}
	}
	return digest, nil
}

// Blob is the content of a digest; ErrUnknown when it is missing or damaged.
func (d *Docket) Blob(ctx context.Context, digest string) ([]byte, error) {
	raw, err := d.blob(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("reading blob %.12s: %w", digest, err)
	}
	return raw, nil
}

func (d *Docket) blob(ctx context.Context, digest string) ([]byte, error) {
	var size, stored int64
	var codec string
	err := d.read.QueryRowContext(ctx, `select size, stored, codec from blob where digest = $1`, digest).Scan(&size, &stored, &codec)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (size > MostBlob || stored > MostBlob) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	var raw []byte
	err = d.each(ctx, "reading its pieces", func(rows *sql.Rows) error {
		var part []byte
		if err := rows.Scan(&part); err != nil {
			return err
		}
		if raw = append(raw, part...); int64(len(raw)) > stored {
			return ErrUnknown
		}
		return nil
	}, `select bytes from piece where digest = $1 order by n`, digest)
	if err != nil {
		return nil, err
	}
	if codec == "zstd" {
		z, err := decoder()
		if err != nil {
			return nil, err
		}
		if raw, err = z.DecodeAll(raw, nil); err != nil {
			return nil, ErrUnknown
		}
	}
	if int64(len(raw)) != size || Digest(raw) != digest {
		return nil, ErrUnknown
	}
	return raw, nil
}

// File is what an owner, a run or a cohort, has under a name.
func (d *Docket) File(ctx context.Context, owner, name string) ([]byte, error) {
	var digest string
	err := d.read.QueryRowContext(ctx, `select digest from file where owner = $1 and name = $2`, owner, name).Scan(&digest)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return d.Blob(ctx, digest)
}

// put keeps a file of an owner, in place of an earlier one of the name.
func (d *Docket) put(ctx context.Context, tx *sql.Tx, owner, name string, raw []byte) (digest string, err error) {
	if digest, err = d.keep(ctx, tx, raw); err != nil {
		return "", fmt.Errorf("keeping %s: %w", name, err)
	}
	_, err = tx.ExecContext(ctx, `insert into file (owner, name, digest) values ($1, $2, $3) on conflict (owner, name) do update set digest = excluded.digest`, owner, name, digest)
	if err != nil {
		return "", fmt.Errorf("keeping %s: %w", name, err)
	}
	return digest, nil
}

// Forget removes what the runs of a cohort have under a name, and the blobs that nothing else needs. It says how many runs had
// it. The bytes leave the disk, too: a file is packed anew.
func (d *Docket) Forget(ctx context.Context, cohort, name string) (n int64, err error) {
	var digests []string
	err = d.each(ctx, "looking for them", func(rows *sql.Rows) error {
		var digest string
		err := rows.Scan(&digest)
		digests = append(digests, digest)
		return err
	}, `select distinct digest from file where name = $2 and owner in (select key from run where cohort = $1)`, cohort, name)
	if err != nil {
		return 0, fmt.Errorf("forgetting %s: %w", name, err)
	}
	err = d.within(ctx, func(tx *sql.Tx) error {
		for _, digest := range digests {
			done, err := tx.ExecContext(ctx, `delete from file where name = $2 and digest = $3 and owner in (select key from run where cohort = $1)`, cohort, name, digest)
			if err != nil {
				return err
			}
			gone, err := done.RowsAffected()
			if err != nil {
				return err
			}
			n += gone
			for _, table := range []string{"piece", "blob"} {
				if _, err := tx.ExecContext(ctx, `delete from `+table+` where digest = $1 and not exists (select 1 from file where digest = $1)`, digest); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && n > 0 && !d.Shared() {
		for _, pack := range []string{`vacuum`, `pragma wal_checkpoint(truncate)`} {
			if _, err = d.write.ExecContext(ctx, pack); err != nil {
				break
			}
		}
	}
	if err != nil {
		return 0, fmt.Errorf("forgetting %s: %w", name, err)
	}
	return n, nil
}
