// Package client reads and writes Kubernetes objects.
//
// A [Client] speaks about objects the way a reconciler does: by Go value, not by URL. It finds the kind of the value it
// is given in a scheme, asks a REST mapper where the API server serves that kind, and sends the request. Three sorts of
// values are understood, and each verb takes any of them:
//
//   - typed values, whose Go type is registered in the scheme,
//   - [unstructured.Unstructured] values, which carry their kind with them and keep every field the server sends,
//   - [metav1.PartialObjectMetadata] values, for which the server is asked to send metadata only.
//
// A client made by [New] talks to the API server for everything. With [CacheOptions] reads are answered from a cache
// instead, apart from the kinds excluded there; writes always go to the server. After a write a cache may still answer
// with the state before it, so a reconciler is written to cope with stale reads: an update of a stale object is refused
// by the server as a conflict, and the reconcile is tried again.
//
// Verbs take options, as in
//
//	c.List(ctx, &pods, client.InNamespace("default"), client.MatchingLabels{"app": "web"})
//
// Each option says with its methods which verbs it is good for. Options structs such as [ListOptions] are options too.
//
// Wrappers change what a client does without changing who uses it: [NewDryRunClient], [NewNamespacedClient],
// [WithFieldOwner] and [WithFieldValidation].
package client
