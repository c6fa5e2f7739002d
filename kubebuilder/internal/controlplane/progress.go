package controlplane

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress tells the user how far a build is. On a terminal it keeps one line up to date; elsewhere only the start and the
// end are worth a line.
type progress struct {
	out      io.Writer
	terminal *os.File // nil when out is none
	began    time.Time
	drawn    time.Time
}

// redrawEvery keeps a build with many small packages from spending its time on the terminal.
const redrawEvery = 100 * time.Millisecond

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, began: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.terminal = file
	}
	return p
}

func (p *progress) start(text string) { p.println(text) }

// update says that done of about total packages are compiled, the last of them being name.
func (p *progress) update(done, total int, name string) {
	if p.terminal == nil || time.Since(p.drawn) < redrawEvery {
		return
	}
	p.drawn = time.Now()
	line := fmt.Sprintf("  %d of at most %d packages, %s  %s", done, total, time.Since(p.began).Round(time.Second), name)
	if width, _, err := term.GetSize(int(p.terminal.Fd())); err == nil && len(line) >= width && width > 1 {
		line = line[:width-1]
	}
	p.print("\r\x1b[K" + line)
}

// clear removes the changing line.
func (p *progress) clear() {
	if p.terminal != nil && !p.drawn.IsZero() {
		p.print("\r\x1b[K")
	}
}

func (p *progress) end(text string) {
	p.clear()
	p.println(text)
}

func (p *progress) println(text string) { p.print(text + "\n") }

// print drops errors: a build does not fail because nobody watches it.
func (p *progress) print(text string) { _, _ = io.WriteString(p.out, text) }
