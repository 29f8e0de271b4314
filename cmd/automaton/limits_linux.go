package main

// Looks at the limits of this process before the Go runtime starts: where they
// are too small, the runtime ends with a trace of its own before any line of Go
// is run. Measured: with less than 1.5 GiB of address space or 150 MiB of data the
// runtime does not start reliably; git's own limit of 2 GiB of address space must
// fit below ours; an audit with a document takes up to 300 MiB of data. The
// runtime needs 7 open files, and may take as many as the hard limit says; how
// many an audit needs is asked when one begins.

/*
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void stop(const char *line)
{
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		_exit(2); // there is nobody to tell
	_exit(2);
}

static void want(int resource, const char *what, char flag, unsigned long long need, unsigned long long unit, const char *name)
{
	struct rlimit have;
	char line[300];

	if (getrlimit(resource, &have) != 0)
		return;
	if (resource == RLIMIT_NOFILE)
		have.rlim_cur = have.rlim_max;
	if (have.rlim_cur == RLIM_INFINITY || have.rlim_cur >= need * unit)
		return;
	snprintf(line, sizeof line,
		"automaton: starting: the limit on %s is %llu%s, and %llu%s are needed\n"
		"hint: ulimit -%c %llu raises it\n",
		what, (unsigned long long)have.rlim_cur / unit, name, need, name, flag, unit > 1 ? need * unit / 1024 : 1024ULL);
	stop(line);
}

// The runtime ends with a trace, too, when it cannot read this one.
static void check_goal(const char *goal)
{
	size_t digits;
	const char *unit;

	if (goal == NULL || *goal == 0 || strcmp(goal, "off") == 0)
		return;
	digits = strspn(goal, "0123456789");
	unit = goal + digits;
	if (*unit == 0 && digits <= 18)
		return;
	if (digits > 0 && digits <= 6 && (strcmp(unit, "B") == 0 || (strchr("KMGT", *unit) != NULL && strcmp(unit + 1, "iB") == 0)))
		return;
	stop("automaton: starting: GOMEMLIMIT is not a number of bytes\nhint: unset it, or give one such as 2GiB\n");
}

__attribute__((constructor)) static void enough(void)
{
	want(RLIMIT_AS, "address space", 'v', 2560, 1 << 20, " MiB");
	want(RLIMIT_DATA, "data", 'd', 512, 1 << 20, " MiB");
	want(RLIMIT_NOFILE, "open files", 'n', 32, 1, "");
	check_goal(getenv("GOMEMLIMIT"));
}
*/
import "C"
