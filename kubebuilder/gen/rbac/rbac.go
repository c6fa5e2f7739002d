// Package rbac turns kubebuilder:rbac markers into the ClusterRole and the Roles that grant what they ask for.
package rbac

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// Marker is the name of the marker that asks for permissions.
const Marker = "kubebuilder:rbac"

// The dimensions of a permission, as indexes of a grant.
const (
	groups = iota
	resources
	names
	urls
	verbs
	dimensions
)

// grant allows everything in the product of its dimensions. Each one is sorted and free of duplicates.
type grant [dimensions][]string

// key identifies a grant by all its dimensions but those named.
func (g grant) key(except ...int) string {
	var parts []string
	for d, values := range g {
		if !slices.Contains(except, d) {
			parts = append(parts, strings.Join(values, "&"))
		}
	}
	return strings.Join(parts, " + ")
}

func (g *grant) add(dimension int, values []string) {
	all := slices.Concat(g[dimension], values)
	slices.Sort(all)
	g[dimension] = slices.Compact(all)
}

// role names a Role in a namespace, or a ClusterRole when the namespace is empty.
type role struct{ namespace, name string }

// Roles makes the roles that the markers of all packages ask for, sorted by namespace and name; markers that name no role
// add to the one called defaultName. Grants that differ in one dimension only become one rule.
func Roles(markers []marker.List, defaultName string) []any {
	asked := map[role][]grant{}
	for _, list := range markers {
		for _, m := range list.All(Marker) {
			r := role{namespace: m.String("namespace"), name: cmp.Or(m.String("roleName"), defaultName)}
			asked[r] = append(asked[r], grants(m)...)
		}
	}
	order := make([]role, 0, len(asked))
	for r := range asked {
		order = append(order, r)
	}
	slices.SortFunc(order, func(a, b role) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	objects := make([]any, len(order))
	for i, r := range order {
		objects[i] = r.object(rules(asked[r]))
	}
	return objects
}

// grants splits a marker into grants of one resource each, so that equal ones meet.
func grants(m marker.Marker) []grant {
	var base grant
	for _, group := range m.Strings("groups") {
		if group == "core" {
			group = ""
		}
		base.add(groups, []string{group})
	}
	base.add(names, m.Strings("resourceNames"))
	base.add(urls, m.Strings("urls"))
	base.add(verbs, m.Strings("verbs"))
	list := m.Strings("resources")
	if len(list) == 0 {
		return []grant{base}
	}
	split := make([]grant, len(list))
	for i, resource := range list {
		split[i] = base
		split[i][resources] = []string{resource}
	}
	return split
}

// rules folds grants together along one dimension after the other.
func rules(list []grant) []rbacv1.PolicyRule {
	for _, dimension := range []int{verbs, resources, groups, urls} {
		list = fold(list, dimension)
	}
	slices.SortFunc(list, func(a, b grant) int { return strings.Compare(a.key(verbs), b.key(verbs)) })
	made := make([]rbacv1.PolicyRule, len(list))
	for i, g := range list {
		if slices.Contains(g[verbs], rbacv1.VerbAll) {
			g[verbs] = []string{rbacv1.VerbAll}
		}
		made[i] = rbacv1.PolicyRule{
			APIGroups: g[groups], Resources: g[resources], ResourceNames: g[names], NonResourceURLs: g[urls], Verbs: g[verbs],
		}
	}
	return made
}

// fold joins the grants that differ in one dimension only.
func fold(list []grant, dimension int) []grant {
	at := map[string]int{}
	var folded []grant
	for _, g := range list {
		key := g.key(dimension)
		if i, met := at[key]; met {
			folded[i].add(dimension, g[dimension])
			continue
		}
		at[key] = len(folded)
		folded = append(folded, g)
	}
	return folded
}

func (r role) object(rules []rbacv1.PolicyRule) any {
	version := rbacv1.SchemeGroupVersion.String()
	meta := metav1.ObjectMeta{Name: r.name, Namespace: r.namespace}
	if r.namespace == "" {
		return rbacv1.ClusterRole{TypeMeta: metav1.TypeMeta{APIVersion: version, Kind: "ClusterRole"}, ObjectMeta: meta, Rules: rules}
	}
	return rbacv1.Role{TypeMeta: metav1.TypeMeta{APIVersion: version, Kind: "Role"}, ObjectMeta: meta, Rules: rules}
}
