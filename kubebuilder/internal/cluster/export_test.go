package cluster

import (
	"os"
	"time"
)

// RecordPart lets a cluster believe that a process was one of its parts.
func RecordPart(c *Cluster, name string, pid int, identity string) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	return c.save(state{Parts: map[string]part{name: {PID: pid, Identity: identity, Started: time.Now()}}})
}
