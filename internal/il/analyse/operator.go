package analyse

// negated is the operator that holds where a comparison does not. An operator that
// is not in it compares nothing.
var negated = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
	"is": "is not", "is not": "is", "in": "not in", "not in": "in", "true": "false", "instanceof": "not instanceof"}
