// Package kubernetes checks deploy/kubernetes against the types of Kubernetes.
package kubernetes

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	disruption "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const base = "../../deploy/kubernetes"

// objects holds the output of kustomize.
type objects struct {
	Settings   core.ConfigMap
	Deployment apps.Deployment
	Server     core.Service
	Ops        core.Service
	Scaling    autoscaling.HorizontalPodAutoscaler
	Disruption disruption.PodDisruptionBudget
	Network    networking.NetworkPolicy
	Monitor    monitoring.ServiceMonitor
	Migration  batch.Job
}

// byName returns each object by its API, kind and name. The settings' name ends in a hash.
func (o *objects) byName() map[string]any {
	return map[string]any{
		"v1 ConfigMap agentchat":                            &o.Settings,
		"apps/v1 Deployment agentchat":                      &o.Deployment,
		"v1 Service agentchat":                              &o.Server,
		"v1 Service agentchat-ops":                          &o.Ops,
		"autoscaling/v2 HorizontalPodAutoscaler agentchat":  &o.Scaling,
		"policy/v1 PodDisruptionBudget agentchat":           &o.Disruption,
		"networking.k8s.io/v1 NetworkPolicy agentchat":      &o.Network,
		"monitoring.coreos.com/v1 ServiceMonitor agentchat": &o.Monitor,
		"batch/v1 Job agentchat-migrate":                    &o.Migration,
	}
}

// decode decodes a document strictly into its object, and returns the name. It refuses other
// objects, such as a Secret.
func (o *objects) decode(t *testing.T, document []byte) (name string) {
	t.Helper()
	var head struct {
		meta.TypeMeta
		Metadata meta.ObjectMeta
	}
	if err := yaml.Unmarshal(document, &head); err != nil {
		t.Fatal(err)
	}
	name = head.Metadata.Name
	if head.Kind == "ConfigMap" {
		name = name[:strings.LastIndex(name, "-")]
	}
	name = head.APIVersion + " " + head.Kind + " " + name
	into := o.byName()[name]
	if into == nil {
		t.Fatalf("%s does not belong here", name)
	}
	object, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		t.Fatal(name, err)
	}
	wrong, err := json.UnmarshalStrict(object, into) // with the case of names, as the API has it
	if err := errors.Join(append(wrong, err)...); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return name
}

// build runs kustomize on a directory. Every object must be there.
func build(t *testing.T, dir string) *objects {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	o, left := &objects{}, (&objects{}).byName()
	for _, resource := range built.Resources() {
		delete(left, o.decode(t, []byte(resource.MustYaml())))
	}
	if len(left) > 0 {
		t.Fatalf("without %v", slices.Collect(maps.Keys(left)))
	}
	return o
}

// TestFiles decodes the source files, too, because kustomize drops duplicate keys.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob(base + "/*.yaml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "kustomization.yaml" {
			var any map[string]any
			if err := yaml.UnmarshalStrict(content, &any); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		for document := range bytes.SplitSeq(content, []byte("\n---\n")) {
			new(objects).decode(t, document)
		}
	}
}

// TestPods: the pods fit the Restricted security standard of Kubernetes, and get no token and no
// variables of Services.
func TestPods(t *testing.T) {
	o := build(t, base)
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, pod := range map[string]core.PodTemplateSpec{
		"Deployment": o.Deployment.Spec.Template,
		"Job":        o.Migration.Spec.Template,
	} {
		restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
		for _, result := range evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec) {
			if !result.Allowed {
				t.Errorf("%s: %s: %s", name, result.ForbiddenReason, result.ForbiddenDetail)
			}
		}
		main := pod.Spec.Containers[0]
		readOnly := *main.SecurityContext.ReadOnlyRootFilesystem
		if !readOnly || *pod.Spec.EnableServiceLinks || *pod.Spec.AutomountServiceAccountToken {
			t.Errorf("%s: %+v", name, pod.Spec)
		}
		if limit := main.Resources.Limits.Memory(); limit.IsZero() ||
			limit.Cmp(*main.Resources.Requests.Memory()) != 0 {
			t.Errorf("%s: memory %v", name, main.Resources)
		}
	}
	if o.Deployment.Spec.Replicas != nil {
		t.Error("applying the Deployment would undo the autoscaler's replicas")
	}
}

// TestSelectors: every reference to another object resolves.
func TestSelectors(t *testing.T) {
	o := build(t, base)
	pod, job := o.Deployment.Spec.Template.Labels, o.Migration.Spec.Template.Labels
	for name, selector := range map[string]*meta.LabelSelector{
		"Deployment": o.Deployment.Spec.Selector,
		"Service":    {MatchLabels: o.Server.Spec.Selector},
		"ops":        {MatchLabels: o.Ops.Spec.Selector},
		"disruption": o.Disruption.Spec.Selector,
		"spread":     o.Deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		if !selects(t, selector, pod) || selects(t, selector, job) {
			t.Errorf("%s selects %v", name, selector)
		}
	}
	if !selects(t, &o.Network.Spec.PodSelector, pod) || !selects(t, &o.Network.Spec.PodSelector, job) {
		t.Errorf("the NetworkPolicy selects %v", o.Network.Spec.PodSelector)
	}
	if !selects(t, &o.Monitor.Spec.Selector, o.Ops.Labels) ||
		selects(t, &o.Monitor.Spec.Selector, o.Server.Labels) {
		t.Errorf("the ServiceMonitor selects %v", o.Monitor.Spec.Selector)
	}
	if target := o.Scaling.Spec.ScaleTargetRef; target.Kind != o.Deployment.Kind ||
		target.Name != o.Deployment.Name {
		t.Errorf("the autoscaler scales %v", target)
	}
	rules, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if job := o.Ops.Labels[o.Monitor.Spec.JobLabel]; err != nil ||
		!strings.Contains(string(rules), `job="`+job+`"`) {
		t.Errorf("no alert is about the job %q: %v", job, err)
	}
}

func selects(t *testing.T, selector *meta.LabelSelector, of map[string]string) bool {
	t.Helper()
	parsed, err := meta.LabelSelectorAsSelector(selector)
	if err != nil || parsed.Empty() {
		t.Fatalf("%v selects everything: %v", selector, err)
	}
	return parsed.Matches(labels.Set(of))
}

// TestPorts: the Ingress reaches the public port alone, and Prometheus the operator's.
func TestPorts(t *testing.T) {
	o := build(t, base)
	ports := map[string]int32{}
	for _, port := range o.Deployment.Spec.Template.Spec.Containers[0].Ports {
		ports[port.Name] = port.ContainerPort
	}
	for name, service := range map[string]core.Service{"http": o.Server, "ops": o.Ops} {
		got := service.Spec.Ports
		if len(got) != 1 || got[0].Name != name || got[0].TargetPort.StrVal != name ||
			got[0].Port != ports[name] {
			t.Errorf("%s: %v of %v", name, got, ports)
		}
	}
	if got := o.Monitor.Spec.Endpoints; len(got) != 1 || got[0].Port != "ops" {
		t.Errorf("the ServiceMonitor asks %v", got)
	}
	from := map[string]string{}
	for _, rule := range o.Network.Spec.Ingress {
		for _, port := range rule.Ports {
			from[port.Port.StrVal] += rule.From[0].NamespaceSelector.MatchLabels[core.LabelMetadataName]
		}
	}
	if len(from) != len(ports) || from["http"] != "ingress-nginx" || from["ops"] != "monitoring" {
		t.Errorf("the NetworkPolicy lets in %v", from)
	}
	if len(o.Network.Spec.PolicyTypes) != 2 {
		t.Errorf("the NetworkPolicy bounds %v", o.Network.Spec.PolicyTypes)
	}
}

// TestConnections: in a rolling restart, all replicas together stay below PostgreSQL's default
// limit of connections.
func TestConnections(t *testing.T) {
	const postgres, reserved = 100, 3
	o := build(t, base)
	each, err := strconv.Atoi(o.Settings.Data["DATABASE_MAX_CONNS"])
	if err != nil {
		t.Fatal(err)
	}
	replicas := int(o.Scaling.Spec.MaxReplicas) +
		o.Deployment.Spec.Strategy.RollingUpdate.MaxSurge.IntValue()
	if replicas*each > postgres-reserved {
		t.Errorf("%d replicas with %d connections", replicas, each)
	}
}

// TestGuide builds the overlay of the guide.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	_, overlay, _ := strings.Cut(string(guide), "```yaml\n")
	overlay, _, found := strings.Cut(overlay, "```\n")
	if !found {
		t.Fatal("docs/install.md has no overlay")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "base"), os.DirFS(base)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(overlay), 0o600); err != nil {
		t.Fatal(err)
	}
	o := build(t, dir)
	container, settings := o.Deployment.Spec.Template.Spec.Containers[0], o.Settings
	if container.Image == "agentchat" || container.EnvFrom[0].ConfigMapRef.Name != settings.Name {
		t.Errorf("%+v", container)
	}
	for _, name := range []string{"PUBLIC_URL", "TRUSTED_PROXIES", "SHUTDOWN_DELAY"} {
		if settings.Data[name] == "" {
			t.Errorf("%s is not set in %v", name, settings.Data)
		}
	}
	if o.Deployment.Namespace == "" || o.Deployment.Namespace != o.Migration.Namespace {
		t.Errorf("namespace %q", o.Deployment.Namespace)
	}
}
