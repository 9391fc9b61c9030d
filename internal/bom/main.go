// Command bom writes the bill of materials of a release in the CycloneDX format (ECMA-424): bom
// BINARY < PANEL. PANEL lists the panel's packages, in the format of `npm sbom`; the Go modules are
// those in the binary.
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bom:", err)
		os.Exit(1)
	}
}

func run(args []string, panel io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: bom BINARY < PANEL")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(panel, cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		return fmt.Errorf("the panel's bill of materials: %w", err)
	}
	if bom.Components == nil || len(*bom.Components) == 0 {
		return errors.New("the panel's bill of materials lists no package")
	}
	components := append(*bom.Components, component("go", info.GoVersion[len("go"):]))
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		components = append(components, component(module.Path, module.Version))
	}
	bom.Components = &components
	// The serial number is random. Dependencies are only known for the panel. Both are left out.
	bom.SerialNumber, bom.Dependencies, bom.Metadata = "", nil, &cyclonedx.Metadata{Component: &cyclonedx.Component{
		Type: cyclonedx.ComponentTypeApplication, Name: "agentchat", BOMRef: "agentchat",
	}}
	return cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(&bom)
}

// component returns a Go module with its package URL.
func component(path, version string) cyclonedx.Component {
	url := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{
		Type:       cyclonedx.ComponentTypeLibrary,
		Name:       path,
		Version:    version,
		PackageURL: url,
		BOMRef:     url,
	}
}
