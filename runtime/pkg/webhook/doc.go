// Package webhook serves the HTTPS requests by which an API server lets an operator default, validate, convert and
// authenticate.
//
// A [Server] listens and hands each path to a handler. Handlers for admission are made by package admission, those for
// conversion by package conversion, those for token reviews by package authentication; builder.WebhookManagedBy
// registers admission and conversion for a type in one statement. The names used most often of package admission
// stand here too.
package webhook
