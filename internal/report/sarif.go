package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// sarifShown is how many results GitHub's code scanning shows of one upload; it
// refuses more than 25,000.
const sarifShown = 5000

// The part of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool           sarifTool            `json:"tool"`
		Automation     sarifAutomation      `json:"automationDetails"`
		VersionControl []sarifVersion       `json:"versionControlProvenance,omitempty"`
		Bases          map[string]sarifBase `json:"originalUriBaseIds"`
		Results        []sarifResult        `json:"results"`
		Properties     map[string]any       `json:"properties,omitempty"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifVersion struct {
		URI      string `json:"repositoryUri"`
		Revision string `json:"revisionId,omitempty"`
	}
	sarifBase struct {
		Description sarifText `json:"description"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Short      sarifText      `json:"shortDescription"`
		Full       sarifText      `json:"fullDescription"`
		Help       sarifText      `json:"help"`
		Default    sarifDefault   `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	sarifDefault struct {
		Level level `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string            `json:"ruleId"`
		RuleIndex int               `json:"ruleIndex"`
		Level     level             `json:"level"`
		Message   sarifText         `json:"message"`
		Locations []sarifLocation   `json:"locations"`
		Prints    map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifRegion struct {
		Start int `json:"startLine"`
		End   int `json:"endLine"`
	}
)

// severityScore is what code scanning sorts by; the numbers are the middle of
// its own bands of high, medium and low.
var severityScore = map[court.Severity]string{court.High: "8.8", court.Medium: "5.5", court.Low: "3.0"}

// writeSARIF writes the findings in files of the repository for code scanning,
// worst first, at most as many as it shows.
func writeSARIF(w io.Writer, rec *court.Record) error {
	d := newDocket(rec)
	found, elsewhere := d.findings()
	left := max(0, len(found)-sarifShown)
	found = found[:len(found)-left]
	name, version, _ := strings.Cut(rec.Origin.Tool, " ")
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: cmp.Or(name, "automaton"), Version: version, Rules: []sarifRule{}}},
		Automation: sarifAutomation{"automaton/" + escapePath(cmp.Or(rec.Rubric.Name, "rubric")) + "/"},
		Bases:      map[string]sarifBase{"%SRCROOT%": {sarifText{"the root of the audited repository"}}},
		Results:    []sarifResult{}, Properties: map[string]any{"digest": rec.Digest}}
	if base := webBase(rec.Case); base != "" {
		run.VersionControl = []sarifVersion{{base, rec.Case.Commit}}
	}
	if left > 0 {
		run.Properties["resultsLeftOut"] = left
	}
	// As results of the kind notApplicable these would be alerts: code scanning
	// takes every result for a failure.
	if empty := d.emptyChecks(); len(empty) > 0 {
		run.Properties["notApplicable"] = empty
	}
	if at := unparsed(rec.Faults); len(at) > 0 {
		run.Properties["notParsed"] = at
	}
	if elsewhere > 0 {
		run.Properties["resultsOutsideTheRepository"] = elsewhere
	}
	index, seen := map[string]int{}, map[string]int{}
	for _, f := range found {
		id := f.rule()
		if _, known := index[id]; !known {
			index[id] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, d.sarifRule(id, f, found))
		}
		run.Results = append(run.Results, f.sarif(rec.Case, index[id], seen))
	}
	return putJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifRule describes the check behind a finding, the first of its rule and so
// its worst.
func (d *docket) sarifRule(id string, f finding, all []finding) sarifRule {
	text := sarifText{sentence(court.Clean(d.checkText(f.Criterion, f.Check), 1000))}
	r := sarifRule{ID: id, Short: text, Full: text, Help: text, Default: sarifDefault{f.level},
		Properties: map[string]any{"tags": []string{court.Clean(d.name(f.Criterion), 200)}}}
	if f.Remedy != "" {
		r.Help.Text = sentence(court.Clean(f.Remedy, 1000))
	}
	worst := ""
	for _, x := range all {
		if x.Criterion == f.Criterion && x.Check == f.Check && x.Security != nil {
			worst = max(worst, severityScore[x.Security.Severity])
		}
	}
	if worst != "" {
		r.Properties["security-severity"] = worst
		r.Properties["tags"] = append(r.Properties["tags"].([]string), "security")
	}
	return r
}

// sarif is a finding as a result.
func (f finding) sarif(c court.Case, index int, seen map[string]int) sarifResult {
	place := sarifPhysical{Artifact: sarifArtifact{escapePath(rooted(c, f.at)), "%SRCROOT%"}}
	if f.at.Line > 0 {
		place.Region = &sarifRegion{f.at.Line, max(f.at.Line, f.at.EndLine)}
	}
	return sarifResult{RuleID: f.rule(), RuleIndex: index, Level: f.level, Message: sarifText{f.text()},
		Locations: []sarifLocation{{place}}, Prints: map[string]string{"primaryLocationLineHash": f.fingerprint(seen)}}
}
