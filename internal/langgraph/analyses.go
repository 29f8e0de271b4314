package langgraph

// ErrorRoute is a route that leads away from the normal course: one of its
// targets is END or a handler, another one is not.
type ErrorRoute struct {
	Route  *Route
	Escape []string // its targets that are END or handlers
	Covers []Role   // what it guards: RoleDetective, RoleAggregator, RoleJudge
	Bypass []Item   // edges and routes beside it by which judges or the chief run on the error path too
}

// Reachable says whether a node can be reached from START over edges and
// routes, not through dead targets.
func (g *Graph) Reachable(name string) Answer { return Answer{} }

// Unreachable looks for nodes that never run, one item each.
func (g *Graph) Unreachable() Answer { return Answer{} }

// Parallel says whether two nodes may run at the same time: neither leads to
// the other, and some node starts both ways at once. Alternatives of one
// exclusive router do not count.
func (g *Graph) Parallel(u, v string) Answer { return Answer{} }

// DetectivesParallel says whether two detectives are parallel. Concurrency
// inside one node does not count; see InsideNode.
func (g *Graph) DetectivesParallel() Answer { return Answer{} }

// JudgesPresent says whether the graph has judges: as nodes, or run inside
// one node.
func (g *Graph) JudgesPresent() Answer { return Answer{} }

// JudgesParallel says whether two judges are parallel, one judge node is sent
// to many times with an argument that selects the judge, or one node starts
// several judges concurrently.
func (g *Graph) JudgesParallel() Answer { return Answer{} }

// Sequence says whether the reachable nodes with a role are in a proven chain:
// any two of them run one after the other.
func (g *Graph) Sequence(role Role) Answer { return Answer{} }

// ParallelPairs returns the pairs of reachable nodes with a role that are
// parallel, one item each, and those that are not known.
func (g *Graph) ParallelPairs(role Role) (pairs []Item, unknown []Item) { return nil, nil }

// InsideNode looks for nodes that run several detectives or judges
// concurrently in their own body.
func (g *Graph) InsideNode(role Role) Answer { return Answer{} }

// ChiefPresent says whether a node has role chief.
func (g *Graph) ChiefPresent() Answer { return Answer{} }

// FanIn says whether the detectives join before the judges: a node other than
// END, a judge or a handler that at least two detectives lead into, also
// through handlers and pass-through nodes, and from which every judge is
// reached; without judges, one that follows all detectives. The item names
// the joining node first.
func (g *Graph) FanIn() Answer { return Answer{} }

// JudgesJoin is FanIn for the judges before the chief justice, or in it.
func (g *Graph) JudgesJoin() Answer { return Answer{} }

// HasRoutes says whether anything is decided at run time.
func (g *Graph) HasRoutes() Answer { return Answer{} }

// ErrorRoutes returns the error routes by place. complete is false when
// unresolved wiring could hide one.
func (g *Graph) ErrorRoutes() (routes []ErrorRoute, complete bool) { return nil, true }

// Decorative looks for routes with one distinct target after mapping.
func (g *Graph) Decorative() Answer { return Answer{} }

// DeadTargets looks for targets that are mapped but never returned.
func (g *Graph) DeadTargets() Answer { return Answer{} }

// DoubleTrigger looks for nodes that run more than once because branches of
// different length lead into them without a barrier.
func (g *Graph) DoubleTrigger() Answer { return Answer{} }

// StarvedJoin looks for barriers that wait for a node which some run skips, so
// that their target never fires in that run.
func (g *Graph) StarvedJoin() Answer { return Answer{} }

// UnboundedLoops looks for cycles whose routers compare no state key with a
// constant that a node of the cycle changes.
func (g *Graph) UnboundedLoops() Answer { return Answer{} }

// HiddenSequence looks for nodes that are parallel by wiring but not by their
// code: a shared lock, staggered sleeps, blocking calls in async bodies, one
// node that runs the judges in turn.
func (g *Graph) HiddenSequence() Answer { return Answer{} }

// Linear says whether no START or node has two plain successors, no route
// returns a list and nothing is sent. A graph of fewer than two nodes is not.
func (g *Graph) Linear() Answer { return Answer{} }

// Width returns the size of the largest set of pairwise parallel nodes, of
// what is resolved.
func (g *Graph) Width() int { return 0 }

// Undeclared looks for keys that nodes write and the state type lacks.
func (g *Graph) Undeclared() Answer { return Answer{} }

// WholeState looks for nodes that return the whole state although a field of
// it adds up, so that its entries double.
func (g *Graph) WholeState() Answer { return Answer{} }

// LostUpdates looks for keys without a reducer that two parallel nodes write.
func (g *Graph) LostUpdates() Answer { return Answer{} }
