// Package verdict is the chief justice: fixed rules in a fixed order make one
// ruling per criterion out of three opinions and the bound that the evidence
// sets, and one verdict out of the rulings.
//
// Nothing here weighs evidence, calls a model, looks at a clock or reads a word
// of an argument, a rationale or a rubric: the same hearings and opinions give
// the same verdict, whatever the texts say.
package verdict
