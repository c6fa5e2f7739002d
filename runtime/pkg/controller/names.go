package controller

import (
	"fmt"
	"sync"

	"kubewright.dev/runtime/pkg/manager"
)

// names holds the names that are taken in each manager. A manager that ended
// leaves its few names behind; programs that make managers by the thousand, such
// as tests, can skip the check.
var names = struct {
	sync.Mutex
	taken map[claim]struct{}
}{taken: map[claim]struct{}{}}

type claim struct {
	in   manager.Manager
	name string
}

// claimName takes the name in the manager. Two managers in one process may have
// controllers of the same name; their metrics then add up.
func claimName(mgr manager.Manager, name string) error {
	names.Lock()
	defer names.Unlock()
	mine := claim{in: mgr, name: name}
	if _, taken := names.taken[mine]; taken {
		return fmt.Errorf("controller with name %s already exists in this manager: controller names must be unique, "+
			"as they label metrics and logs; name one differently with Named, or set SkipNameValidation", name)
	}
	names.taken[mine] = struct{}{}
	return nil
}
