package probetest

import (
	"image"
	"image/color"
	"image/draw"
)

// drawn is a raster picture by its name: "layers" has two rows of three boxes between which arrows part and join again,
// "layer" has one, "grid" is a table with marks in its cells.
func drawn(name string) *image.Gray {
	p := &board{image.NewGray(image.Rect(0, 0, 640, 700))}
	draw.Draw(p.Gray, p.Bounds(), image.White, image.Point{}, draw.Src)
	switch name {
	case "grid":
		for i := range 7 {
			p.fill(40, 60+80*i, 602, 62+80*i)
			p.fill(40+80*i+13*i, 60, 42+80*i+13*i, 542)
		}
		for i := range 36 {
			p.word(60+93*(i%6), 90+80*(i/6))
		}
	case "layers", "layer":
		at := []image.Point{{320, 50}, {120, 170}, {320, 170}, {520, 170}, {320, 290}, {120, 410}, {320, 410}, {520, 410}, {320, 530}, {320, 640}}
		ways := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {5, 8}, {6, 8}, {7, 8}, {8, 9}}
		if name == "layer" {
			at, ways = at[:5], ways[:6]
		}
		for _, c := range at {
			p.box(c)
		}
		for _, w := range ways {
			p.arrow(at[w[0]], at[w[1]])
		}
	}
	return p.Gray
}

type board struct{ *image.Gray }

func (p *board) fill(x0, y0, x1, y1 int) {
	draw.Draw(p.Gray, image.Rect(x0, y0, x1, y1), image.NewUniform(color.Gray{40}), image.Point{}, draw.Src)
}

func (p *board) word(x, y int) {
	for i := range 6 {
		p.fill(x+9*i, y, x+9*i+2, y+12)
		p.fill(x+9*i, y+5*(i%3), x+9*i+6, y+5*(i%3)+2)
	}
}

// box is 160 by 50 pixels around its middle.
func (p *board) box(c image.Point) {
	p.fill(c.X-80, c.Y-25, c.X+80, c.Y+25)
	draw.Draw(p.Gray, image.Rect(c.X-78, c.Y-23, c.X+78, c.Y+23), image.NewUniform(color.Gray{235}), image.Point{}, draw.Src)
	p.word(c.X-26, c.Y-6)
}

// arrow goes down, aside and down again; its ends lie apart from those of others.
func (p *board) arrow(from, to image.Point) {
	aside := (to.X - from.X) / 5
	x0, x1, y0, y1 := from.X+aside, to.X, from.Y+25, to.Y-25
	if from.X != 320 {
		x0, x1 = from.X, to.X-aside
	}
	mid := (y0 + y1) / 2
	p.fill(x0, y0, x0+2, mid)
	p.fill(min(x0, x1), mid, max(x0, x1)+2, mid+2)
	p.fill(x1, mid, x1+2, y1-8)
	for i := range 10 {
		p.fill(x1+1-i/2, y1-i, x1+1+i/2+1, y1-i+1)
	}
}
