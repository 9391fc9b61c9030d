// Package kubetest reads the files of deploy/kubernetes for tests. The module in .ci/kubernetes
// validates the files.
package kubetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
)

// Pod is a pod of a Deployment or Job, with the fields that tests need. Times are in seconds.
type Pod struct {
	Grace           int `yaml:"terminationGracePeriodSeconds"`
	SecurityContext struct {
		User  uint32 `yaml:"runAsUser"`
		Group uint32 `yaml:"runAsGroup"`
	} `yaml:"securityContext"`
	Containers []Container
}

// Container is the pod's only container.
type Container struct {
	Args  []string
	Ports []struct {
		Name   string
		Number int `yaml:"containerPort"`
	}
	Startup   Probe `yaml:"startupProbe"`
	Readiness Probe `yaml:"readinessProbe"`
	Liveness  Probe `yaml:"livenessProbe"`
	Lifecycle struct {
		PreStop struct{ Sleep struct{ Seconds int } } `yaml:"preStop"`
	}
}

// Probe is a request that the node repeats.
type Probe struct {
	Get              struct{ Path, Port string } `yaml:"httpGet"`
	PeriodSeconds    int                         `yaml:"periodSeconds"`
	TimeoutSeconds   int                         `yaml:"timeoutSeconds"`
	FailureThreshold int                         `yaml:"failureThreshold"`
}

// Read returns the pods of the replicas and of the migration, and the replicas' settings in the
// form NAME=value. dir is deploy/kubernetes.
func Read(t testing.TB, dir string) (replica, migration Pod, settings []string) {
	t.Helper()
	var deployment, job struct {
		Spec struct{ Template struct{ Spec Pod } }
	}
	var base struct {
		Maps []struct{ Literals []string } `yaml:"configMapGenerator"`
	}
	for name, into := range map[string]any{
		"deployment.yaml":    &deployment,
		"migration.yaml":     &job,
		"kustomization.yaml": &base,
	} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = yaml.Unmarshal(content, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return deployment.Spec.Template.Spec, job.Spec.Template.Spec, base.Maps[0].Literals
}
