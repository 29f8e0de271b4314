// Package calibration holds the court's scores against marks that people gave: how well they agree, and a map from the
// one to the other that keeps the order of scores. Everything is reckoned in integers, so that the same marks give the
// same map on every machine.
package calibration
