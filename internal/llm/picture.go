package llm

import (
	"bytes"
	"image"
	_ "image/jpeg" // its header is read for its size
	_ "image/png"  // likewise
)

// What a picture counts as at worst, in tokens. Providers count by size, a
// token for each 750 pixels or 1.2 for each square of 32, or by the picture;
// most shrink large ones first. The highest count is above all that was
// published.
const (
	pixelsPerToken = 750
	square         = 32
	leastPicture   = 1200
	mostPicture    = 20_000
	aroundPicture  = 100 // of words around it
)

// imageTokens counts a picture by the size that its header tells; one whose
// size cannot be told counts as the largest.
func imageTokens(i Image) int {
	c, _, err := image.DecodeConfig(bytes.NewReader(i.Data))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > 1<<16 || c.Height > 1<<16 {
		return mostPicture
	}
	squares := ((c.Width + square - 1) / square) * ((c.Height + square - 1) / square)
	n := max(squares*6/5, c.Width*c.Height/pixelsPerToken, leastPicture)
	return min(n+aroundPicture, mostPicture)
}
