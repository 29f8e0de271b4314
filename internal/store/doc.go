// Package store keeps records: it reads them strictly, from record.json or out
// of a report.html, keeps each case in a folder that a reader sees whole or not
// at all, and checks what a record says about itself.
//
// Everything it reads is hostile: bounded, and refused when it is not what it
// should be. Everything it writes is a new file that takes the old one's place
// once it is safely on the disk, inside the folder that was asked for; links
// that lie there are not followed. The package judges nothing: whether a verdict
// holds is asked of a function that the caller hands in.
package store
