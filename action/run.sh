#!/usr/bin/env bash
# What the steps of action.yml run: run.sh prepare|baseline|get|audit|comment|gate.
#
# Every value comes in by the environment and is never run. Whatever the audited
# side wrote may be printed only while the runner takes no commands from the log,
# and reaches an output only between marks that nobody can guess.
# shellcheck disable=SC2153 # names in capitals are given by action.yml
set -euf -o pipefail

random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# output NAME VALUE
output() {
  local mark
  mark=end-$(random)
  printf '%s<<%s\n%s\n%s\n' "$1" "$mark" "$2" "$mark" >>"$GITHUB_OUTPUT"
}

# say error|warning|notice TITLE TEXT: one message beside the job.
say() {
  local text=$3
  text=${text//'%'/%25} text=${text//$'\r'/%0D} text=${text//$'\n'/%0A}
  printf '::%s title=%s::%s\n' "$1" "$2" "$text"
}

# refuse TEXT: wrong usage, before anything was examined.
refuse() {
  say error 'Automaton Auditor' "$1"
  exit 2
}

# A runner takes commands from any line that begins with :: or holds ##[ anywhere.
stopped=
stop() {
  stopped=$(random)
  echo "::stop-commands::$stopped"
}
resume() {
  [ -z "$stopped" ] || printf '\n::%s::\n' "$stopped"
  stopped=
}
trap resume EXIT

repo() { git -c safe.directory='*' -C "$GITHUB_WORKSPACE" "$@"; }

shallow() { [ "$(repo rev-parse --is-shallow-repository)" = true ]; }

# allowed: under pull_request_target, and in a workflow_run on behalf of a fork,
# strangers' files would meet a token that writes.
allowed() {
  case $GITHUB_EVENT_NAME in
    pull_request_target)
      refuse 'under pull_request_target the files of strangers meet a token that writes; run on pull_request instead' ;;
    workflow_run)
      [ "$WORKFLOW_RUN_REPOSITORY" = "$GITHUB_REPOSITORY" ] ||
        refuse 'this workflow_run was started by a fork; run on pull_request instead' ;;
  esac
  local value
  for value in "$IN_ANNOTATIONS" "$IN_COMMENT" "$IN_SARIF" "$IN_SUMMARY"; do
    case $value in true | false) ;; *) refuse "annotations, comment, sarif and summary are true or false, not '$value'" ;; esac
  done
  [ "$RUNNER_OS" != Windows ] || refuse 'this action runs on Linux and macOS'
  [ "${IN_BENCH:-embedded}" = embedded ] || refuse "bench '$IN_BENCH': this version has the embedded bench only"
  repo rev-parse --git-dir >/dev/null || refuse 'no checkout in the workspace: actions/checkout comes first'
}

# fork: a pull request from another repository, or from one that is gone.
fork() { [ -n "$PULL_REQUEST" ] && [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ]; }

# base prints the commit whose rubric holds: of a pull request or merge queue what
# it goes into; else the default branch, so that no branch brings its own law.
base() {
  local commit=$BASE_SHA
  if [ -z "$commit" ] && { [ "$GITHUB_EVENT_NAME" = schedule ] || [ "$GITHUB_REF" = "refs/heads/$DEFAULT_BRANCH" ]; }; then
    commit=$GITHUB_SHA # the checkout may be of something else
  fi
  [ -n "$commit" ] || commit=$(repo rev-parse --verify --quiet "refs/remotes/origin/$DEFAULT_BRANCH") || commit="refs/heads/$DEFAULT_BRANCH"
  if ! repo cat-file -e "$commit^{commit}" 2>/dev/null; then
    if shallow; then
      repo fetch --quiet --no-tags --depth=1 origin "$commit" >&2 || return 1
    else
      repo fetch --quiet --no-tags origin "$commit" >&2 || return 1
    fi
    commit=$(repo rev-parse --verify 'FETCH_HEAD^{commit}')
  fi
  printf '%s\n' "$commit"
}

# trusted WHAT PATH prints a file that the audited side did not write: a path
# outside the checkout stays as it is, all others are read from the base.
trusted() {
  local what=$1 path=${2#./} commit file
  if [[ $path == /* ]]; then
    printf '%s\n' "$path"
    return
  fi
  commit=$(base) || refuse "$what '$path': the base of this run is not in the checkout; give actions/checkout fetch-depth: 0"
  file=${path##*/}
  file=$DIR/$what/${file//[^A-Za-z0-9._-]/_}
  mkdir -p "$DIR/$what"
  repo cat-file blob "$commit:$path" >"$file" 2>/dev/null ||
    refuse "$what '$path' is no file at ${commit:0:12}, the base of this run; a file that a change brings holds from the next one on"
  printf '%s\n' "$file"
}

prepare() {
  allowed
  local from=false rubric=${IN_RUBRIC:-courtroom}
  DIR=$(mktemp -d "$RUNNER_TEMP/automaton.XXXXXXXX")
  if fork; then from=true; fi
  if shallow; then
    say warning 'Shallow checkout' 'checks of the history cannot be decided; give actions/checkout fetch-depth: 0'
  fi
  # A name of a rubric that comes with the program has neither dot nor slash.
  if [[ $rubric == *[./]* ]]; then rubric=$(trusted rubric "$rubric") || { printf '%s\n' "$rubric"; exit 2; }; fi
  output dir "$DIR"
  output fork "$from"
  output rubric "$rubric"
}

# get finds the program: one that is there already, or a release, whose digest is
# committed with this action.
get() {
  local bin=$DIR/bin/automaton version=$IN_VERSION said
  if [ -n "$IN_AUTOMATON_PATH" ]; then # a relative one would be of the checkout
    [[ $IN_AUTOMATON_PATH == /* ]] || refuse "automaton-path '$IN_AUTOMATON_PATH' is not absolute"
    bin=$IN_AUTOMATON_PATH
  else
    [ -n "$version" ] || version=$(sed -n 's/^VERSION ?= //p' "$GITHUB_ACTION_PATH/Makefile")
    [[ $version =~ ^[0-9A-Za-z.+-]+$ ]] || refuse "version '$version' is not the name of a release"
    said=$(AUTOMATON_VERSION=$version AUTOMATON_TO=$DIR/bin AUTOMATON_FROM='' sh "$GITHUB_ACTION_PATH/install.sh" 2>&1) || refuse "${said##*install.sh: }"
  fi
  "$bin" version >/dev/null || refuse "'$bin' does not run here"
  output bin "$bin"
}

# baseline is a file of the base, or an artifact that a run on the base branch of
# this very repository left. The first run has none.
baseline() {
  local file
  if [[ $IN_BASELINE == *[./]* ]]; then
    file=$(trusted baseline "$IN_BASELINE") || { printf '%s\n' "$file"; exit 2; }
    output file "$file"
    return
  fi
  local branch=${GITHUB_BASE_REF:-$DEFAULT_BRANCH} run='' expired on home from id list
  list=$(gh api --method GET "repos/$GITHUB_REPOSITORY/actions/artifacts" -f per_page=100 -f name="$IN_BASELINE" \
    --jq '.artifacts[] | [.expired, .workflow_run.head_branch, .workflow_run.repository_id, .workflow_run.head_repository_id, .workflow_run.id] | @tsv') || list=
  while IFS=$'\t' read -r expired on home from id; do
    if [ -z "$run" ] && [ "$expired" = false ] && [ "$on" = "$branch" ] && [ -n "$home" ] && [ "$home" = "$from" ] && [ "$id" != "$GITHUB_RUN_ID" ]; then
      run=$id
    fi
  done <<<"$list"
  if [ -n "$run" ] && gh run download "$run" --repo="$GITHUB_REPOSITORY" --name="$IN_BASELINE" --dir="$DIR/baseline"; then
    output file "$DIR/baseline/record.json"
  else
    say warning 'No baseline' "no run on $branch left an artifact '$IN_BASELINE': nothing can be called a regression"
  fi
}

# words VALUE prints what stands between commas and blanks, one a line.
words() { printf '%s\n' "$1" | tr -s ', \t\r\n' '\n' | sed '/^$/d'; }

audit() {
  local report=$DIR/report word pdf=${IN_PDF:-auto} code=0
  local args=(audit "$GITHUB_WORKSPACE" --offline --env-file none --progress plain --color never --out "$DIR/out" "--rubric=$RUBRIC")
  case $pdf in auto | none | tree:*) ;; *) pdf=tree:$pdf ;; esac
  args+=("--pdf=$pdf")
  while IFS= read -r word; do args+=("--fail-under=$word"); done < <(words "$IN_FAIL_UNDER")
  while IFS= read -r word; do
    if [ "$word" = regression ] && [ -z "$BASELINE" ] && [ -n "$IN_BASELINE" ]; then continue; fi # it was said why
    args+=("--fail-on=$word")
  done < <(words "$IN_FAIL_ON")
  word=$(words "$IN_ONLY" | paste -sd, -)
  [ -z "$word" ] || args+=("--only=$word")
  [ -z "$BASELINE" ] || args+=("--baseline=$BASELINE")
  mkdir -p "$report"
  args+=(-o "sarif=$report/audit.sarif" -o "junit=$report/junit.xml" -o "github=$DIR/annotations.txt"
    -o "github-summary=$DIR/summary.md" -o "github-comment=$DIR/comment.md")
  stop
  cd "$DIR" # where no configuration lies
  "$BIN" "${args[@]}" 2>&1 >"$DIR/summary.txt" | tee "$DIR/messages.txt" || code=$?
  cat "$DIR/summary.txt"
  resume
  output code "$code"
  case $code in
    0 | 1 | 3) ;;
    *)
      say error 'Automaton Auditor' "$(tail -n 20 "$DIR/messages.txt")"
      exit "$code"
      ;;
  esac
  publish "$code"
}

# record KEY: of the record, whose keys stand at their depth; no text of anybody's
# has a line of its own there.
record() { sed -n "$1" "$DIR/report/record.json"; }

publish() {
  local code=$1 status='' outcome=pass name
  name=$(cat "$DIR/out/latest" 2>/dev/null) || name=
  if [[ $name =~ ^[A-Za-z0-9._-]+$ ]] && [ -f "$DIR/out/$name/record.json" ]; then
    cp "$DIR/out/$name/record.json" "$DIR/out/$name/report.md" "$DIR/out/$name/report.html" "$DIR/report/"
    status=$(record 's/^  "status": "\([a-z]*\)",\{0,1\}$/\1/p')
    output score "$(record '/^  "verdict": {$/,/^  }/{/^    "overall": {$/,/^    }/s/^      "exact": \([0-9.]*\),\{0,1\}$/\1/p;}')"
    output capped-by "$(record '/^  "verdict": {$/,/^  }/{/^    "overall": {$/,/^    }/s/^      "capped": true,\{0,1\}$/security_override/p;}')"
    output digest "$(record 's/^  "digest": "\(sha256:[0-9a-f]*\)",\{0,1\}$/\1/p')"
    output report-path "$DIR/report/report.html"
    output record-path "$DIR/report/record.json"
    output sarif-path "$DIR/report/audit.sarif"
    output junit-path "$DIR/report/junit.xml"
    output folder "$DIR/report"
    [ "$IN_SUMMARY" != true ] || cat "$DIR/summary.md" >>"$GITHUB_STEP_SUMMARY"
    if [ "$IN_ANNOTATIONS" = true ]; then
      grep -E '^::(error|warning|notice) file=' "$DIR/annotations.txt" || : # there are none
    fi
  fi
  case $code in
    1) outcome=fail ;;
    3)
      outcome=insufficient
      case $status in partial) outcome=partial ;; mistrial | '') outcome=mistrial ;; esac
      ;;
  esac
  output outcome "$outcome"
}

# comment writes the one comment of this rubric, or writes it anew. It is known by
# its first line and by who wrote it: anybody can write that line.
comment() {
  local mark mine='' id login first list where
  if ! [[ $PULL_REQUEST =~ ^[0-9]+$ ]]; then
    echo 'no comment: this is no pull request'
    return
  elif [ "$FORK" = true ]; then
    say notice 'No comment' 'a pull request from a fork gets none; the summary of this job has the report'
    return
  fi
  mark=$(head -n 1 "$DIR/comment.md")
  [[ $mark =~ ^'<!-- automaton:'[0-9a-f]{16}' -->'$ ]] || refuse 'the comment has no mark'
  printf '\n[All of it: page, record, SARIF and JUnit](%s/%s/actions/runs/%s#artifacts)\n' "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID" >>"$DIR/comment.md"
  where=repos/$GITHUB_REPOSITORY/issues
  list=$(gh api --paginate "$where/$PULL_REQUEST/comments?per_page=100" \
    --jq '.[] | [.id, .user.login, (.body // "" | split("\n")[0] | rtrimstr("\r"))] | @tsv') || list=failed
  while IFS=$'\t' read -r id login first; do
    if [ -z "$mine" ] && [ "$login" = 'github-actions[bot]' ] && [ "$first" = "$mark" ] && [[ $id =~ ^[0-9]+$ ]]; then mine=$id; fi
  done <<<"$list"
  local to=(POST "$where/$PULL_REQUEST/comments")
  [ -z "$mine" ] || to=(PATCH "$where/comments/$mine")
  if [ "$list" != failed ] && gh api --silent --method "${to[0]}" "${to[1]}" -F body=@"$DIR/comment.md"; then return; fi
  say warning 'No comment' 'the comment could not be written; it needs permissions: pull-requests: write. The summary of this job has the report'
}

# gate ends the job as the audit ended, what was missed last.
gate() {
  local title='Gate failed' line
  case $CODE in
    0) return ;;
    3) title='Incomplete' ;;
  esac
  if [ "$CODE" = 3 ]; then
    say error "$title" 'incomplete: this case could not be decided; that is neither a pass nor a fail'
  fi
  while IFS= read -r line; do
    say error "$title" "$line"
  done < <(grep -E '^(FAIL|UNDECIDED)  ' "$DIR/summary.txt" || grep -E '^(automaton|hint): ' "$DIR/messages.txt" || :)
  exit "$CODE"
}

case ${1-} in
  prepare | baseline | get | audit | comment | gate) "$1" ;;
  *) refuse 'run.sh prepare|baseline|get|audit|comment|gate' ;;
esac
