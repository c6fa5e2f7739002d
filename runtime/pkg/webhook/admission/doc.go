// Package admission answers the requests by which an API server lets an operator change or refuse objects before they
// are stored.
//
// A [Handler] turns a [Request] into a [Response]; a [Webhook] serves one over HTTP. Most operators write none of
// their own: they implement [Defaulter] and [Validator] for a Go type, and [WithDefaulter] and [WithValidator] make
// the handler that decodes, calls and answers. Several handlers become one by [MultiMutatingHandler] and
// [MultiValidatingHandler].
package admission
