package signals

import "os"

// ending are the signals that ask the process to end.
var ending = []os.Signal{os.Interrupt}
