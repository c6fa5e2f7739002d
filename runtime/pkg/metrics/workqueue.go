package metrics

// The parts of the names of the metrics of work queues, as in workqueue_depth.
const (
	// WorkQueueSubsystem is the prefix of all of them.
	WorkQueueSubsystem = "workqueue"
	// DepthKey is the gauge of how many items wait.
	DepthKey = "depth"
	// AddsKey counts the items put in.
	AddsKey = "adds_total"
	// QueueLatencyKey is the histogram of the seconds that items waited.
	QueueLatencyKey = "queue_duration_seconds"
	// WorkDurationKey is the histogram of the seconds that an item took.
	WorkDurationKey = "work_duration_seconds"
	// UnfinishedWorkKey is the gauge of the seconds of work in progress, summed.
	UnfinishedWorkKey = "unfinished_work_seconds"
	// LongestRunningProcessorKey is the gauge of the seconds that the oldest
	// work in progress has taken.
	LongestRunningProcessorKey = "longest_running_processor_seconds"
	// RetriesKey counts the items put back after a failure.
	RetriesKey = "retries_total"
)
