// Package similar tells what submissions of a class have in common: passages of code, whole files, history, and passages
// of their documents. Of each submission it takes prints, a few kilobytes in which no word of it stands but the names of
// its files; it compares prints with prints, and shows the places side by side.
//
// It makes a list for a person. It accuses nobody, changes no score, and reaches no judge.
package similar
