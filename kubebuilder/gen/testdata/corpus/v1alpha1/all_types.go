package v1alpha1

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubewright.dev/kubebuilder/gen/testdata/corpus/shared"
)

// Bar is bar.
type Bar struct {
	// A is a.
	A string `json:"a"`
}

// Foo is foo.
type Foo Bar

// Phase is a phase.
// +kubebuilder:validation:Enum=one;two;three
type Phase string

// Port number.
// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=65535
type Port int32

// Short is short.
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=`^[a-z]+$`
type Short string

// Shorter is a renamed Short.
// +kubebuilder:validation:MinLength=2
// +kubebuilder:validation:MaxLength=8
type Shorter Short

type M map[string]string
type MM map[string]M
type L []Bar
type PB *Bar

// Opt has a default mode.
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:XValidation:rule="self.x != self.y",message="x, y differ"
type Opt struct {
	X int   `json:"x,omitempty"`
	Y int64 `json:"y,omitempty"`
}

// OneOf things.
// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=c;d
// +kubebuilder:validation:AtLeastOneOf=a;c
type OneOf struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty"`
	D *string `json:"d,omitempty"`
}

// Color is.
// +k8s:enum
type Color string

const (
	Red  Color = "red"
	Blue Color = "blue"
)

// Stamp marshals itself.
// +kubebuilder:validation:Type=string
type Stamp struct {
	T int `json:"-"`
}

// MarshalJSON makes JSON.
func (s Stamp) MarshalJSON() ([]byte, error) { return json.Marshal("x") }

// Txt marshals itself.
// +kubebuilder:validation:MaxLength=3
type Txt struct{ A int }

// MarshalText makes text.
func (t Txt) MarshalText() ([]byte, error) { return nil, nil }

// Manual copies itself.
type Manual struct {
	P *string `json:"p,omitempty"`
}

// DeepCopyInto copies.
func (m *Manual) DeepCopyInto(out *Manual) { *out = *m }

// ManualValue copies itself by value.
type ManualValue struct {
	P *string `json:"p,omitempty"`
}

// DeepCopy copies.
func (m ManualValue) DeepCopy() ManualValue { return m }

// ManualPtr copies itself.
type ManualPtr struct {
	P *string `json:"p,omitempty"`
}

// DeepCopy copies.
func (m *ManualPtr) DeepCopy() *ManualPtr { return m }

// WidgetSpec is everything.
//
// Second paragraph
// over two lines.
//   - list a
//   - list b
//
// ---
// hidden
type WidgetSpec struct {
	Bool bool `json:"bool"`
	Int  int  `json:"int"`
	Int8 int8 `json:"int8"`
	// TODO: not shown
	// I32 shown.
	I32        int32                        `json:"i32"`
	I64        int64                        `json:"i64,omitempty"`
	U32        uint32                       `json:"u32,omitempty"`
	U64        *uint64                      `json:"u64,omitempty"`
	Bytes      []byte                       `json:"bytes,omitempty"`
	Strs       []string                     `json:"strs,omitempty"`
	StrPtrs    []*string                    `json:"strPtrs,omitempty"`
	Nested     [][]string                   `json:"nested,omitempty"`
	NestedMaps map[string]map[string]string `json:"nestedMaps,omitempty"`
	MapSlice   map[string][]string          `json:"mapSlice,omitempty"`
	MapStruct  map[string]Bar               `json:"mapStruct,omitempty"`
	MapPtr     map[string]*Bar              `json:"mapPtr,omitempty"`
	MapPhase   map[Phase]Port               `json:"mapPhase,omitempty"`
	MapQ       map[string]resource.Quantity `json:"mapQ,omitempty"`
	Foo        Foo                          `json:"foo"`
	FooP       *Foo                         `json:"fooP,omitempty"`
	Bars       []Bar                        `json:"bars,omitempty"`
	BarPs      []*Bar                       `json:"barPs,omitempty"`
	L          L                            `json:"l,omitempty"`
	LP         *L                           `json:"lp,omitempty"`
	M          M                            `json:"m,omitempty"`
	MP         *M                           `json:"mp,omitempty"`
	MM         MM                           `json:"mm,omitempty"`
	PP         **string                     `json:"pp,omitempty"`
	// Own doc of phase.
	Phase  Phase   `json:"phase,omitempty"`
	PhaseP *Phase  `json:"phaseP,omitempty"`
	Phases []Phase `json:"phases,omitempty"`
	// +kubebuilder:validation:Minimum=100
	Port  Port  `json:"port,omitempty"`
	Short Short `json:"short,omitempty"`
	// +kubebuilder:validation:MaxLength=4
	Shorter Shorter `json:"shorter,omitempty"`
	// +kubebuilder:default={x:1, y: 2}
	Opt Opt `json:"opt,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.x > 1"
	OptP          *Opt                   `json:"optP,omitempty"`
	OneOf         OneOf                  `json:"oneOf,omitempty"`
	Color         Color                  `json:"color,omitempty"`
	Stamp         Stamp                  `json:"stamp,omitempty"`
	Txt           Txt                    `json:"txt,omitempty"`
	Manual        Manual                 `json:"manual,omitempty"`
	ManualP       *Manual                `json:"manualP,omitempty"`
	ManualM       map[string]Manual      `json:"manualM,omitempty"`
	ManualS       []Manual               `json:"manualS,omitempty"`
	ManualV       ManualValue            `json:"manualV,omitempty"`
	ManualVP      *ManualValue           `json:"manualVP,omitempty"`
	ManualVM      map[string]ManualValue `json:"manualVM,omitempty"`
	ManualPt      ManualPtr              `json:"manualPt,omitempty"`
	ManualPtP     *ManualPtr             `json:"manualPtP,omitempty"`
	shared.Common `json:",inline"`
	Level         shared.Level        `json:"lvl,omitempty"`
	Names         shared.Names        `json:"names,omitempty"`
	Dict          shared.Dict         `json:"dict,omitempty"`
	DictP         *shared.Dict        `json:"dictP,omitempty"`
	Time          metav1.Time         `json:"time,omitempty"`
	TimeP         *metav1.Time        `json:"timeP,omitempty"`
	Micro         metav1.MicroTime    `json:"micro,omitempty"`
	Dur           metav1.Duration     `json:"dur,omitempty"`
	DurP          *metav1.Duration    `json:"durP,omitempty"`
	Conditions    []metav1.Condition  `json:"conditions,omitempty"`
	Quantity      resource.Quantity   `json:"quantity,omitempty"`
	QuantityP     *resource.Quantity  `json:"quantityP,omitempty"`
	IOS           intstr.IntOrString  `json:"ios,omitempty"`
	IOSP          *intstr.IntOrString `json:"iosp,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Raw runtime.RawExtension `json:"raw,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	RawP      *runtime.RawExtension       `json:"rawP,omitempty"`
	JSON      apiextensionsv1.JSON        `json:"json,omitempty"`
	Template  corev1.PodTemplateSpec      `json:"template,omitempty"`
	Affinity  *corev1.Affinity            `json:"affinity,omitempty"`
	Reqs      corev1.ResourceRequirements `json:"reqs,omitempty"`
	Selector  *metav1.LabelSelector       `json:"selector,omitempty"`
	Ref       corev1.LocalObjectReference `json:"ref,omitempty"`
	Refs      []corev1.ObjectReference    `json:"refs,omitempty"`
	Res       corev1.ResourceList         `json:"res,omitempty"`
	Proto     corev1.Protocol             `json:"proto,omitempty"`
	OwnerRefs []metav1.OwnerReference     `json:"ownerRefs,omitempty"`
	Meta      metav1.ObjectMeta           `json:"meta,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Free *Bar `json:"free,omitempty"`
	// +kubebuilder:validation:items:MaxLength=5
	// +kubebuilder:validation:items:Pattern=`^a`
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:UniqueItems=true
	// +listType=set
	Set []string `json:"set,omitempty"`
	// +kubebuilder:validation:items:MinLength=3
	ItemsShort []Short `json:"itemsShort,omitempty"`
	// +mapType=atomic
	AtomicMap map[string]string `json:"atomicMap,omitempty"`
	// +structType=atomic
	AtomicStruct Bar `json:"atomicStruct,omitempty"`
	// +nullable
	// +kubebuilder:example="ex"
	// +kubebuilder:title="A Title"
	// +kubebuilder:externalDocs:url="https://example.com/x",description="see"
	Null *string `json:"null,omitempty"`
	// +kubebuilder:default=true
	DBool bool `json:"dbool,omitempty"`
	// +kubebuilder:default={a,b}
	DList []string `json:"dlist,omitempty"`
	// +kubebuilder:default={}
	DEmpty []string `json:"dempty,omitempty"`
	// +kubebuilder:default:={a: {b: "c"}, "d": 3}
	DObj map[string]apiextensionsv1.JSON `json:"dobj,omitempty"`
	// +kubebuilder:default="1.5"
	DStr string `json:"dstr,omitempty"`
	// +kubebuilder:default=7
	// +kubebuilder:validation:MultipleOf=7
	// +kubebuilder:validation:ExclusiveMinimum=false
	DInt int `json:"dint,omitempty"`
	// +default="k8s"
	DK8s string `json:"dk8s,omitempty"`
	// +default={"a":[1,2]}
	DK8sObj map[string][]int `json:"dk8sObj,omitempty"`
	// +k8s:required
	KReq string `json:"kreq"`
	// +k8s:optional
	// +k8s:immutable
	KOpt string `json:"kopt"`
	// +k8s:immutable
	KImm string `json:"kimm"`
	// +k8s:maxItems=3 # comment
	KMax []string `json:"kmax,omitempty"`
	// +kubebuilder:validation:Enum=1;2;3
	EInt int `json:"eint,omitempty"`
	// +kubebuilder:validation:Enum={"a","b c",'d'}
	EStr string `json:"estr,omitempty"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`
	DurPat *metav1.Duration `json:"durPat,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^\d+$`
	XIOS *intstr.IntOrString `json:"xios,omitempty"`
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="no",reason=FieldValueInvalid,fieldPath=".x",optionalOldSelf=true
	// +kubebuilder:validation:XValidation:rule="size(self) > 0",messageExpression="'a' + self"
	Formatted string `json:"formatted,omitempty"`
	Skipped   string `json:"-"`
	Required2 string `json:"required2"`
	// +kubebuilder:validation:Optional
	Optional2 string `json:"optional2"`
	// +required
	Required3 string `json:"required3,omitempty"`
	Omitzero  string `json:"omitzero,omitzero"`
	A, B      string `json:"ab,omitempty"`
	/*
	   Block comment here.
	   Second line.
	*/
	Block string `json:"block,omitempty"`
	Code  string `json:"code,omitempty"` // trailing comment
	// Fenced:
	// ```
	// TODO: shown
	// --- shown
	// ```
	// after
	Fenced string `json:"fenced,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.i32,statuspath=.status.n,selectorpath=.status.s
// +kubebuilder:resource:path=widgets,shortName=wd;wdg,categories={all,mine},scope=Cluster,singular=widget
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,priority=1
// +kubebuilder:printcolumn:name=Phase,type=string,JSONPath=.spec.phase,description="The phase, of it",format=byte
// +kubebuilder:selectablefield:JSONPath=`.spec.phase`
// +kubebuilder:metadata:annotations="a.b/c=d=e",labels={"x=y","z=w"}
// +kubebuilder:deprecatedversion:warning="old"

// Widget is a widget.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec,omitempty"`
	// Status docs.
	Status *WidgetStatus `json:"status,omitempty"`
}

type WidgetStatus struct {
	N int32  `json:"n"`
	S string `json:"s"`
}

type (
	// Grouped is grouped.
	Grouped struct {
		S []string `json:"s"`
	}

	// +kubebuilder:object:generate=false

	// Ungenerated is not.
	Ungenerated struct {
		S []string `json:"s"`
	}
)

// +kubebuilder:object:root=true

// Cron has no spec of note.
type Cron struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Grouped           `json:",inline"`
	// Data docs.
	Data map[string]string `json:"data,omitempty"`
}
