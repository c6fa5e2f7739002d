package priorityqueue

import "time"

// entry is an item that is in the queue. It is in one of the heaps, or in none
// while a worker has the same item.
type entry[T comparable] struct {
	item     T
	priority int
	// arrival orders entries that are otherwise equal: the first goes first.
	arrival uint64
	// due is when a delayed entry becomes ready.
	due time.Time
	// readySince is when a ready entry became ready.
	readySince time.Time
	home       *pile[T]
	at         int
}

// pile is a binary heap of entries that know their place, so that any of them can
// be taken out.
type pile[T comparable] struct {
	before  func(a, b *entry[T]) bool
	entries []*entry[T]
}

func (p *pile[T]) len() int { return len(p.entries) }

// first returns the entry that goes before all others, or nil.
func (p *pile[T]) first() *entry[T] {
	if len(p.entries) == 0 {
		return nil
	}
	return p.entries[0]
}

func (p *pile[T]) push(e *entry[T]) {
	e.home = p
	p.entries = append(p.entries, e)
	p.place(len(p.entries)-1, e)
	p.rise(e.at)
}

// remove takes e, which must be in this pile, out of it.
func (p *pile[T]) remove(e *entry[T]) {
	hole, end := e.at, len(p.entries)-1
	last := p.entries[end]
	p.entries[end] = nil
	p.entries = p.entries[:end]
	e.home = nil
	if last == e {
		return
	}
	p.place(hole, last)
	p.rise(hole)
	p.sink(last.at)
}

func (p *pile[T]) place(at int, e *entry[T]) {
	p.entries[at] = e
	e.at = at
}

func (p *pile[T]) rise(at int) {
	for at > 0 {
		parent := (at - 1) / 2
		if !p.before(p.entries[at], p.entries[parent]) {
			return
		}
		p.swap(at, parent)
		at = parent
	}
}

func (p *pile[T]) sink(at int) {
	for {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(p.entries); child++ {
			if p.before(p.entries[child], p.entries[least]) {
				least = child
			}
		}
		if least == at {
			return
		}
		p.swap(at, least)
		at = least
	}
}

func (p *pile[T]) swap(i, j int) {
	a, b := p.entries[i], p.entries[j]
	p.place(i, b)
	p.place(j, a)
}

// byPriority orders what is ready.
func byPriority[T comparable](a, b *entry[T]) bool {
	if a.priority != b.priority {
		return a.priority > b.priority
	}
	return a.arrival < b.arrival
}

// byDue orders what is delayed.
func byDue[T comparable](a, b *entry[T]) bool {
	if !a.due.Equal(b.due) {
		return a.due.Before(b.due)
	}
	return a.arrival < b.arrival
}
