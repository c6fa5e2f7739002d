package cluster

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Logs writes the logs of the named parts, or of all when none is named, to out, each under its name when there are
// several.
func (c *Cluster) Logs(names []string, out io.Writer) error {
	if _, err := os.Stat(c.dir); err != nil {
		return &NotUpError{Name: c.name}
	}
	for _, name := range names {
		if !slices.Contains(partNames, name) {
			return fmt.Errorf("%q is no part of a cluster; the parts are %s", name, strings.Join(partNames, ", "))
		}
	}
	if len(names) == 0 {
		names = partNames
	}
	for _, name := range names {
		if len(names) > 1 {
			fmt.Fprintf(out, "==> %s <==\n", name)
		}
		if err := copyLog(c.LogFile(name), out); err != nil {
			return err
		}
	}
	return nil
}

func copyLog(path string, out io.Writer) error {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	_, err = io.Copy(out, file)
	return err
}
