package pixels

import (
	"math"
	"testing"
)

// Pictures that are not diagrams have no arrow from a box to another.
func TestReadNoDiagram(t *testing.T) {
	pictures := map[string]func() *easel{
		"bar chart": func() *easel {
			e := newEasel(800, 500, 255)
			e.line(spot{60, 20}, spot{60, 440}, 2, 0)
			e.line(spot{60, 440}, spot{780, 440}, 2, 0)
			e.head(spot{60, 60}, spot{60, 14}, 14, false, 0)
			e.head(spot{700, 440}, spot{788, 440}, 14, false, 0)
			for i, h := range []float64{120, 300, 210, 360, 90, 260} {
				x := 100 + 110*float64(i)
				e.rect(x, 439-h, x+60, 439, byte(90+20*i))
				e.word(x, 450, 6, 0)
				e.word(x+10, 430-h-14, 3, 0)
			}
			return e
		},
		"line chart": func() *easel {
			e := newEasel(800, 500, 255)
			e.frame(60, 20, 780, 440, 2, 0)
			for y := 80.0; y < 440; y += 60 {
				e.line(spot{60, y}, spot{780, y}, 1, 210)
			}
			for i := range 35 {
				x := 60 + 20*float64(i)
				e.line(spot{x, 230 + 120*math.Sin(x/70)}, spot{x + 20, 230 + 120*math.Sin((x+20)/70)}, 2, 60)
				e.rect(x-4, 226+120*math.Sin(x/70), x+4, 234+120*math.Sin(x/70), 60)
			}
			e.frame(600, 40, 760, 110, 1, 0)
			e.word(640, 50, 9, 0)
			e.word(640, 80, 9, 0)
			return e
		},
		"table": func() *easel {
			e := newEasel(800, 500, 255)
			for r := range 8 {
				e.line(spot{20, 40 + 55*float64(r)}, spot{780, 40 + 55*float64(r)}, 1.5, 100)
			}
			for c := range 5 {
				e.line(spot{20 + 190*float64(c), 40}, spot{20 + 190*float64(c), 425}, 1.5, 100)
			}
			for r := range 7 {
				for c := range 4 {
					e.word(50+190*float64(c), 62+55*float64(r), 5+(r*c)%8, 0)
				}
			}
			return e
		},
		"table with a head and stripes": func() *easel {
			e := newEasel(800, 500, 255)
			for r := range 8 {
				shade := byte(255 - 15*(r%2))
				if r == 0 {
					shade = 60
				}
				e.rect(20, 40+50*float64(r), 780, 90+50*float64(r), shade)
				for c := range 4 {
					e.word(50+190*float64(c), 58+50*float64(r), 8, byte(255*(1-min(r, 1))))
				}
			}
			return e
		},
		"screen of a program": func() *easel {
			e := newEasel(1000, 640, 245)
			e.rect(0, 0, 1000, 50, 50)
			e.rect(0, 50, 220, 640, 225)
			for i := range 9 {
				y := 80 + 50*float64(i)
				e.rect(15, y, 205, y+36, 250)
				e.word(50, y+12, 12, 60)
				e.line(spot{25, y + 12}, spot{31, y + 18}, 2, 60) // a chevron
				e.line(spot{31, y + 18}, spot{25, y + 24}, 2, 60)
			}
			for i := range 3 {
				x := 250 + 245*float64(i)
				e.rect(x, 80, x+225, 230, 255)
				e.frame(x, 80, x+225, 230, 1, 200)
				e.word(x+20, 100, 14, 30)
				e.rect(x+20, 180, x+110, 212, 110)
				e.word(x+35, 190, 6, 255)
			}
			e.frame(250, 260, 740, 300, 1, 150)
			e.word(265, 274, 30, 120)
			e.fill(90, spot{715, 275}, spot{729, 275}, spot{722, 285}) // of a list to choose from
			for i := range 12 {
				e.word(250, 330+24*float64(i), 20+(i*7)%40, 60)
			}
			return e
		},
		"steps of a wizard": func() *easel {
			e := newEasel(900, 200, 255)
			for i := range 5 {
				x := 20 + 175*float64(i)
				e.rect(x, 70, x+140, 130, 225)
				e.word(x+30, 94, 8, 0)
				if i < 4 {
					e.line(spot{x + 152, 88}, spot{x + 163, 100}, 2, 90)
					e.line(spot{x + 163, 100}, spot{x + 152, 112}, 2, 90)
				}
			}
			return e
		},
		"code": func() *easel {
			e := newEasel(800, 600, 30)
			e.rect(0, 0, 60, 600, 45)
			for i := range 26 {
				e.word(20, 10+22*float64(i), 2, 120)
				e.word(80+float64(i%4)*36, 10+22*float64(i), 10+(i*11)%35, byte(140+i*3))
			}
			return e
		},
		"dense text": func() *easel {
			e := newEasel(700, 900, 255)
			for i := range 50 {
				for j := range 8 {
					e.word(30+80*float64(j), 20+17*float64(i), 7, 0)
				}
			}
			return e
		},
		"logo": func() *easel {
			e := newEasel(400, 400, 255)
			e.node(node{200, 200, 300, 300}, style{box: 60, ink: 60, border: 1, round: true, text: 255})
			e.fill(255, spot{200, 90}, spot{290, 260}, spot{110, 260})
			return e
		},
		"noise": func() *easel {
			e := newEasel(600, 600, 0)
			for i := range e.grey {
				e.seed = e.seed*1664525 + 1013904223
				e.grey[i] = byte(e.seed >> 24)
			}
			return e
		},
		"photograph": func() *easel {
			e := newEasel(700, 500, 0)
			for i := range e.grey {
				x, y := float64(i%700), float64(i/700)
				e.seed = e.seed*1664525 + 1013904223
				e.grey[i] = byte(128 + 60*math.Sin(x/90)*math.Cos(y/70) + 30*math.Sin((x+y)/23) + float64(e.seed>>29))
			}
			return e
		},
		"sequence of messages": func() *easel {
			e := newEasel(900, 700, 255)
			for i := range 4 {
				x := 120 + 220*float64(i)
				e.node(node{x, 40, 150, 50}, plain)
				e.node(node{x, 660, 150, 50}, plain)
				e.line(spot{x, 65}, spot{x, 635}, 1, 120)
			}
			for i := range 8 {
				from, to := 120+220*float64(i%3), 120+220*float64((i+2)%4)
				y := 120 + 60*float64(i)
				e.line(spot{from, y}, spot{to, y}, 2, 0)
				e.head(spot{from, y}, spot{to, y}, 12, false, 0)
				e.word((from+to)/2-30, y-18, 7, 0)
			}
			e.rect(600, 560, 740, 600, 230)
			e.word(620, 574, 10, 0)
			return e
		},
		"circuit of lines": func() *easel {
			e := newEasel(700, 500, 255)
			for i := range 12 {
				e.node(node{90 + 170*float64(i%4), 80 + 160*float64(i/4), 110, 60}, plain)
				if i%4 < 3 {
					e.line(spot{145 + 170*float64(i%4), 80 + 160*float64(i/4)}, spot{205 + 170*float64(i%4), 80 + 160*float64(i/4)}, 2, 0)
				}
			}
			return e
		},
	}
	for name, draw := range pictures {
		t.Run(name, func(t *testing.T) {
			if got := reader.Read(draw().picture()); len(got.Arrows) > 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range styles() {
		e, _, _ := diagram(s)
		small := make([]byte, 0, 300*300) // a third of it, so that the seeds are small
		for y := range 300 {
			for x := range 300 {
				small = append(small, e.grey[3*y*e.w+3*x])
			}
		}
		f.Add(300, small)
	}
	f.Add(64, make([]byte, 64*64))
	f.Fuzz(func(t *testing.T, width int, grey []byte) {
		if width <= 0 || len(grey) < width || len(grey) > 1<<18 {
			return
		}
		p := Picture{width, len(grey) / width, grey[:len(grey)/width*width]}
		if s := reader.Read(p); !s.Valid(p.Width, p.Height) {
			t.Errorf("%+v", s)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	e, _, _ := diagram(styles()["shadows"])
	p := e.picture()
	b.SetBytes(int64(len(p.Grey))) // a pixel is a byte: MB/s are megapixels a second
	for b.Loop() {
		reader.Read(p)
	}
}
