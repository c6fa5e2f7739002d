// Package cache keeps copies of the API server's objects in memory, so that reads cost no request, and tells handlers what
// changes.
//
// A kind has one watch and one store however it is read: typed, unstructured and metadata-only readers share them, and
// get what they ask for converted. Only where nobody asks for more than metadata does the cache fetch metadata alone.
// Managed fields, often half of an object, are not kept unless a transform is given.
//
// A cache is filled by Start. Reads of a kind that nobody asked for before start its watch and wait for the first list.
// A kind that cannot be listed, because its CRD is missing or RBAC forbids it, ends in an error that says so.
package cache
