package langgraph

// Role is the part that a node plays in a courtroom.
type Role string

// Roles. RoleUnknown is a tie between several.
const (
	RoleDetective  Role = "detective"
	RoleAggregator Role = "aggregator"
	RoleJudge      Role = "judge"
	RoleChief      Role = "chief"
	RoleHandler    Role = "handler"
	RoleOther      Role = "other"
	RoleUnknown    Role = "unknown"
)
