// Package report renders a record: as the summary of the terminal, as an
// explanation of one ruling, as Markdown, JSON or one HTML file.
//
// Every format is a pure function of the record: the same record gives the same
// bytes. No report tells when it was made; how long the run took stands only in
// the record itself and in the timeline that the page draws of it. What the
// audited side wrote is shown as text and never as markup, link or escape
// sequence. The package decides nothing: numbers are printed as the court made
// them.
package report
