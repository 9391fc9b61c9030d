package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
)

const panel = `{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "serialNumber": "urn:uuid:410e4ddc-d5ba-4aa4-9f94-a4b9be186973",
	"components": [{"type": "library", "name": "react", "version": "19.0.0", "purl": "pkg:npm/react@19.0.0", "bom-ref": "react@19.0.0"}],
	"dependencies": [{"ref": "react@19.0.0"}]}`

func TestModulesAndPackagesAreListed(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{program}, strings.NewReader(panel), &out); err != nil {
		t.Fatal(err)
	}
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(&out, cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	if bom.SerialNumber != "" {
		t.Errorf("serial number %s: two runs differ", bom.SerialNumber)
	}
	named := map[string]bool{}
	for _, c := range *bom.Components {
		named[c.PackageURL[:strings.LastIndex(c.PackageURL, "@")]] = true
	}
	for _, want := range []string{"pkg:npm/react", "pkg:golang/github.com/CycloneDX/cyclonedx-go",
		"pkg:golang/go"} {
		if !named[want] {
			t.Errorf("%s is missing in %v", want, named)
		}
	}
}

func TestNothingIsWrittenWithoutThePanel(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"no JSON": "npm error", "no package": `{"bomFormat": "CycloneDX", "specVersion": "1.5"}`} {
		var out bytes.Buffer
		if err := run([]string{program}, strings.NewReader(text), &out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
}
