package passage

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Index ranks passages against questions. It is built once and then only read, so that it may be shared.
type Index struct {
	passages []Passage
	words    ranker
	pieces   ranker
}

// Hit is a passage that answers a question, with how well.
type Hit struct {
	Passage Passage
	Score   float64  // greater is better; only comparable within one search
	Words   []string // of Answers: the words of the question that it holds and most other passages do not
}

// NewIndex makes an index of passages. The headings above a passage count as its text.
func NewIndex(passages []Passage) *Index {
	x := &Index{passages: passages, words: newRanker(), pieces: newRanker()}
	known := map[string]string{} // stemming takes longer than all the rest, and texts repeat their words
	for _, p := range passages {
		text := p.Text
		for _, heading := range p.Section {
			text = heading + "\n" + text
		}
		x.words.add(terms(text, func(word string) string {
			if known[word] == "" {
				known[word] = stem(word)
			}
			return known[word]
		}))
		x.pieces.add(trigrams(text))
	}
	return x
}

// rankConstant damps the difference between the first ranks (Cormack and others, 2009).
const rankConstant = 60

// Search returns the n best passages, best first, by reciprocal rank fusion of BM25 over stems and BM25 over
// trigrams. A passage without a word or trigram of the query is never returned. Ties go to the earlier passage.
func (x *Index) Search(query string, n int) []Hit {
	var found []Hit
	for doc, score := range x.search(query) {
		if len(found) >= n {
			break
		}
		found = append(found, Hit{Passage: x.passages[doc], Score: score})
	}
	return found
}

// search yields the positions of all passages that hold anything of a query, best first, with their scores.
func (x *Index) search(query string) iter.Seq2[int, float64] {
	fused := map[int]float64{}
	for _, ranking := range [][]int{x.words.rank(terms(query, stem)), x.pieces.rank(trigrams(query))} {
		for place, doc := range ranking {
			fused[doc] += 1 / float64(rankConstant+place+1)
		}
	}
	hits := make([]int, 0, len(fused))
	for doc := range fused {
		hits = append(hits, doc)
	}
	slices.SortFunc(hits, func(a, b int) int { return cmp.Or(cmp.Compare(fused[b], fused[a]), cmp.Compare(a, b)) })
	return func(yield func(int, float64) bool) {
		for _, doc := range hits {
			if !yield(doc, fused[doc]) {
				return
			}
		}
	}
}

// ranker is BM25 over one kind of terms, with the usual k1 = 1.2 and b = 0.75.
type ranker struct {
	postings map[string][]posting
	lengths  []int
	total    int
}

type posting struct{ doc, count int }

func newRanker() ranker { return ranker{postings: map[string][]posting{}} }

func (r *ranker) add(terms []string) {
	doc := len(r.lengths)
	r.lengths = append(r.lengths, len(terms))
	r.total += len(terms)
	for _, t := range terms {
		list := r.postings[t]
		if n := len(list); n > 0 && list[n-1].doc == doc {
			list[n-1].count++
			continue
		}
		r.postings[t] = append(list, posting{doc, 1})
	}
}

// holds tells whether a document holds a term.
func (r *ranker) holds(term string, doc int) bool {
	_, found := slices.BinarySearchFunc(r.postings[term], doc, func(p posting, doc int) int { return cmp.Compare(p.doc, doc) })
	return found
}

// rank lists the documents that hold any of the terms, best first. Terms are taken in sorted order, so that sums of
// floating-point numbers do not depend on the order of the query's words.
func (r *ranker) rank(terms []string) []int {
	const k1, b = 1.2, 0.75
	mean := float64(r.total) / float64(max(1, len(r.lengths)))
	scores := map[int]float64{}
	terms = slices.Compact(slices.Sorted(slices.Values(terms)))
	for _, t := range terms {
		list := r.postings[t]
		holders := float64(len(list))
		weight := math.Log(1 + (float64(len(r.lengths))-holders+0.5)/(holders+0.5))
		for _, p := range list {
			count := float64(p.count)
			long := 1 - b + b*float64(r.lengths[p.doc])/max(1, mean)
			scores[p.doc] += weight * count * (k1 + 1) / (count + k1*long)
		}
	}
	docs := make([]int, 0, len(scores))
	for doc := range scores {
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return docs
}
