package client_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubewright.dev/runtime/pkg/client"
)

func TestSelectorsOfAListAddUpOrReplace(t *testing.T) {
	for name, tt := range map[string]struct {
		opts          []client.ListOption
		labels, field string
	}{
		"labels add up": {
			opts:   []client.ListOption{client.MatchingLabels{"a": "1"}, client.HasLabels{"b"}},
			labels: "a=1,b",
		},
		"a selector replaces labels": {
			opts:   []client.ListOption{client.MatchingLabels{"a": "1"}, client.MatchingLabelsSelector{Selector: labels.SelectorFromSet(labels.Set{"c": "2"})}},
			labels: "c=2",
		},
		"the last fields count": {
			opts:  []client.ListOption{client.MatchingFields{"a": "1"}, client.MatchingFields{"b": "2"}},
			field: "b=2",
		},
		"options structs change what they say": {
			opts:   []client.ListOption{client.MatchingLabels{"a": "1"}, &client.ListOptions{Limit: 5}},
			labels: "a=1",
		},
		"values that no label can have are left to the server": {
			opts:   []client.ListOption{client.MatchingLabels{"a": "not valid!"}},
			labels: "a=not valid!",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := (&client.ListOptions{}).ApplyOptions(tt.opts).AsListOptions()
			if got.LabelSelector != tt.labels || got.FieldSelector != tt.field {
				t.Errorf("got labels %q, fields %q", got.LabelSelector, got.FieldSelector)
			}
		})
	}
	var none client.ListOptions
	client.MatchingLabelsSelector{}.ApplyToList(&none)
	if none.LabelSelector.Matches(labels.Set{}) {
		t.Error("a missing selector selects something")
	}
}

func TestRawOptionsAreStartedFromAndNotWrittenTo(t *testing.T) {
	raw := &metav1.CreateOptions{FieldManager: "raw", FieldValidation: "Strict"}
	got := (&client.CreateOptions{Raw: raw}).ApplyOptions([]client.CreateOption{client.FieldOwner("mine"), client.DryRunAll}).AsCreateOptions()
	if got.FieldManager != "mine" || got.FieldValidation != "Strict" || len(got.DryRun) != 1 || raw.FieldManager != "raw" || raw.DryRun != nil {
		t.Errorf("got %v, raw is now %v", got, raw)
	}
}

func TestDeleteAllOfTakesOptionsOfListsAndOfDeletes(t *testing.T) {
	o := (&client.DeleteAllOfOptions{}).ApplyOptions([]client.DeleteAllOfOption{
		client.InNamespace("ns"), client.HasLabels{"b"}, client.GracePeriodSeconds(0), client.PropagationPolicy(metav1.DeletePropagationOrphan),
	})
	del := o.AsDeleteOptions()
	if o.Namespace != "ns" || o.AsListOptions().LabelSelector != "b" || *del.GracePeriodSeconds != 0 || *del.PropagationPolicy != metav1.DeletePropagationOrphan {
		t.Errorf("got %v, %v", o.AsListOptions(), del)
	}
}
