package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/similar"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// jury is what the cases of a class are judged with.
type jury struct {
	court  *batch.Court
	models *seated
	app    *app
	class  *class
	shared batch.Shared
	marks  []court.Answer    // of people, for those who have none of their own
	given  []*similar.Prints // of what everybody was given
}

// jury prepares all that can be refused before anything is fetched.
func (a *app) jury(ctx context.Context, h *class, o classFlags) (*jury, error) {
	clock, err := a.clock()
	if err != nil {
		return nil, err
	}
	if err := a.keepSettings(h, o); err != nil {
		return nil, err
	}
	shared := h.cohort.Shared
	file, err := a.cohortRubric(h)
	if err != nil {
		return nil, err
	}
	r, err := a.loadFile(ctx, file)
	if err != nil {
		return nil, err
	}
	j := &jury{app: a, class: h, shared: shared}
	j.court = &batch.Court{Rubric: r, Tool: a.tool(), TrustTree: shared.Trust, OCR: a.config.Switch("ocr"), Limit: a.config.Duration("timeout"), Clock: clock,
		Submission: j.submission, Answers: j.answers, Box: a.openBox}
	if j.court.Only, err = a.onlyThese(r, shared.Only); err != nil {
		return nil, err
	}
	if len(r.Heard(j.court.Only)) == 0 {
		return nil, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "judging the class: %w", trial.ErrNothingToJudge)
	}
	if j.court.Bar, err = a.bar(r); err != nil {
		return nil, err
	}
	if j.marks, err = a.answers(shared.Answers, r); err != nil {
		return nil, err
	}
	if _, err = a.documents(shared.PDFs); err != nil {
		return nil, err
	}
	if j.models, err = a.seat(o.audit.models, false); err != nil {
		return nil, err
	}
	if j.court.Panel = j.models.bench(a); j.models.run != nil {
		j.court.Models = j.models.forCase
	}
	if j.court.Marks, err = a.calibration(shared.Calibration, r, j.court.Panel); err != nil {
		return nil, err
	}
	j.court.Sources = shared.Similarity != nil
	if j.given, err = j.prints(ctx, shared.Similarity); err != nil {
		return nil, err
	}
	return j, j.aimAtAll(h, o)
}

// cohortRubric is the rubric of a cohort. One that is a file is copied into the cohort's folder and read from there, so that
// later runs have the same.
func (a *app) cohortRubric(h *class) (rubric.File, error) {
	name := a.chosenRubric()
	if a.config.Get("rubric").Origin == batch.FileName && strings.HasPrefix(name, batch.RubricName+"/") {
		name = filepath.Join(h.path, name)
	}
	file, err := a.rubricFile(name)
	if err != nil || file.From == "builtin" {
		return file, err
	}
	file.Name = filepath.Base(name)
	if name == "-" {
		file.Name = "rubric.json"
	}
	if err := store.WriteFile(filepath.Join(h.path, batch.RubricName, file.Name), file.Bytes); err != nil {
		return file, coded(exitUnexamined, err)
	}
	h.cohort.Shared.Settings["rubric"] = []string{batch.RubricName + "/" + file.Name}
	return file, nil
}

// aim finds out where a submission is.
func (j *jury) aim(e batch.Entry) (at aim, target repo.Target, err error) {
	if at, err = j.app.aimAt(j.class.kept(e.Target), e.Commit, ""); err == nil {
		target, err = at.parse(j.app.hosts())
	}
	return at, target, err
}

// aimAtAll finds out where all submissions are, and tells all that cannot be used at once.
func (j *jury) aimAtAll(h *class, o classFlags) error {
	if h.roster == h.name { // it goes on as it began: who cannot be used fails, and the summary says so
		return nil
	}
	var bad batch.Problems
	for _, e := range h.cohort.Roster {
		_, _, err := j.aim(e)
		if err = errors.Join(err, j.papers(e)); err != nil {
			line := ""
			if e.Line > 0 {
				line = strconv.Itoa(e.Line) + ": "
			}
			bad = append(bad, line+e.ID+": "+said(err))
		}
	}
	return j.app.unusable(h.roster, bad, o.skipBad)
}

// papers says why files that the roster names for an entry cannot be used.
func (j *jury) papers(e batch.Entry) error {
	var wrong error
	if e.PDF != "" {
		_, wrong = j.app.documents([]string{j.class.kept(e.PDF)})
	}
	_, err := j.answers(e)
	return errors.Join(wrong, err)
}

// moved are the ids of submissions in folders of this machine that have another commit at HEAD than the one that was judged.
// Addresses are not asked, and where the roster names a commit or a time, that one counts.
func (j *jury) moved(rows []docket.Row, entry func(id string) batch.Entry) (ids []string) {
	for _, r := range rows {
		if !r.Listed || r.Pinned == "" {
			continue
		}
		e := entry(r.ID)
		at, target, err := j.aim(e)
		if err != nil || at.revision != "" || e.Due != "" {
			continue
		}
		if head := repo.Head(target); head != "" && head != r.Pinned {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// submission is how an entry of the roster is opened.
func (j *jury) submission(e batch.Entry) (trial.Submission, error) {
	at, target, err := j.aim(e)
	if err != nil {
		return trial.Submission{}, errors.New(said(err))
	}
	return j.submissionAt(e, at, target)
}

// submissionAt is submission, of an entry that is known where it is.
func (j *jury) submissionAt(e batch.Entry, at aim, target repo.Target) (trial.Submission, error) {
	a, flags := j.app, j.shared.PDFs
	if e.PDF != "" {
		flags = []string{j.class.kept(e.PDF)}
	}
	docs, err := a.documents(flags)
	if err != nil {
		return trial.Submission{}, errors.New(said(err))
	}
	sub := trial.Submission{Target: target, Name: e.ID, Revision: at.revision, Due: batch.DueOf(e.Due), Folder: at.folder, Token: a.token,
		Document: docs[0], Further: docs[1:], Jobs: j.court.Jobs, OCR: j.court.OCR, Veil: a.veil}
	return j.models.forOne().equip(sub), nil
}

// answers are the marks that people gave for an entry.
func (j *jury) answers(e batch.Entry) ([]court.Answer, error) {
	if e.Answers == "" {
		return j.marks, nil
	}
	list, err := j.app.answers(e.Answers, j.court.Rubric)
	if err != nil {
		return nil, errors.New(said(err))
	}
	return list, nil
}

// rows are the roster as the docket has it: ids, and nothing else of a person.
func (j *jury) rows(roster []batch.Entry) []docket.Submission {
	rows := make([]docket.Submission, 0, len(roster))
	for i, folder := range batch.Folders(roster) {
		rows = append(rows, j.row(roster[i], i, folder))
	}
	return rows
}

// row is one of them.
func (j *jury) row(e batch.Entry, place int, folder string) docket.Submission {
	sub, err := j.submission(e)
	var answers []court.Answer
	if err == nil {
		answers, err = j.answers(e)
	}
	request := ""
	if err == nil {
		request = j.court.Request(e, sub, answers)
	} else {
		request = docket.Digest([]byte(e.ID + "\x00" + err.Error())) // it fails for this reason until it is another one
	}
	return docket.Submission{ID: e.ID, Seq: int64(place), Folder: folder, Host: sub.Target.Host, Request: request, Spec: e.At(), Listed: true}
}

// memoryOf reads --memory; without it, three quarters of what there is, less half a GiB for this process.
func memoryOf(flag string) (int64, error) {
	if flag == "" {
		return machineMemory()/4*3 - 512<<20, nil
	}
	return sizeOf("memory", flag)
}

// sizeOf reads a flag that is a size.
func sizeOf(name, flag string) (int64, error) {
	number, unit := strings.TrimRight(flag, "kKmMgGiIbB"), int64(1)
	switch rest := strings.ToLower(strings.TrimPrefix(flag, number)); rest {
	case "g", "gb", "gib":
		unit = 1 << 30
	case "m", "mb", "mib":
		unit = 1 << 20
	default:
		number = ""
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > 1<<20 {
		return 0, usage(fmt.Sprintf("--%s 4G, or --%[1]s 800M", name), "reading flags: --%s %q is not a size", name, flag)
	}
	return n * unit, nil
}

// machineMemory is the memory of this machine, or of the group of processes that this one belongs to where that has less;
// as much as anybody asks for where the system does not tell.
func machineMemory() int64 {
	most := int64(1) << 40
	if raw, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kib int64
		if _, err := fmt.Sscanf(string(raw), "MemTotal: %d kB", &kib); err == nil {
			most = kib << 10
		}
	}
	if raw, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil { // "max" is no limit
			most = min(most, n)
		}
	}
	return most
}
