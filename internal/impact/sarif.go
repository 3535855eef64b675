package impact

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// The rules of the SARIF log.
const (
	ruleChanged = "wiki-statement-changed"
	ruleMissing = "wiki-evidence-missing"
)

// The types below are the part of SARIF 2.1.0 (OASIS) that a report needs; names and nesting are those of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		Help             sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// SARIF returns the report as a SARIF 2.1.0 log, one note for each finding. version is that of the program.
func (r *Report) SARIF(version string) ([]byte, error) {
	const help = "The next update of the wiki writes the statement again. Nothing has to be done in the change itself."
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}, Tool: sarifTool{Driver: sarifDriver{
		Name: "wikiwright", Version: version, InformationURI: "https://github.com/wikiwright/wikiwright",
		Rules: []sarifRule{
			{ID: ruleChanged, ShortDescription: sarifText{"The change alters lines that the wiki cites"}, Help: sarifText{help}},
			{ID: ruleMissing, ShortDescription: sarifText{"The change removes lines that the wiki cites"}, Help: sarifText{help}},
		},
	}}}
	for _, page := range r.Pages {
		for _, f := range page.Findings {
			result := sarifResult{
				RuleID: ruleChanged, Level: "note", Message: sarifText{sarifMessage(page.Path + " says: " + f.Statement)},
				Locations:    []sarifLocation{{sarifPhysical{sarifArtifact{EscapePath(f.File)}, sarifRegion{max(1, f.Line)}}}},
				Fingerprints: map[string]string{"wikiwrightClaim/v1": f.Claim + " " + f.Resource},
			}
			if f.State == Missing {
				result.RuleID, result.RuleIndex = ruleMissing, 1
			}
			run.Results = append(run.Results, result)
		}
	}
	data, err := json.MarshalIndent(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}, "", "  ")
	return append(data, '\n'), err
}

// sarifMessage returns foreign text as a plain text message: one line without what nobody can see, in which no link is embedded (SARIF
// 2.1.0, section 3.11.6).
func sarifMessage(s string) string {
	text := strings.Join(strings.Fields(string(safetext.Clean([]byte(s)))), " ")
	return strings.ReplaceAll(text, "](", "] (")
}

// EscapePath makes a path a relative URI reference, fit for a link in Markdown too.
func EscapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = strings.NewReplacer(":", "%3A", "(", "%28", ")", "%29").Replace(url.PathEscape(s))
	}
	return strings.Join(segments, "/")
}
