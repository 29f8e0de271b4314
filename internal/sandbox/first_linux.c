// The first stage of a child: it takes the layers on and becomes the program. It is C and a constructor, so that it is
// done before the Go runtime starts and every package is initialised: that took longer than what most children do.
// Nothing is decided here: the parent says what to set, to allow and to execute (struct order, in first_linux.go), and is
// told what failed. It runs before anything untrusted is read, on the only thread that there is.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPEC_FD = 3, SELF_FD = 4 };                       // as in spec.go
enum { EXIT_SPEC = 120, EXIT_REFUSE = 121, EXIT_EXEC = 124 }; // as in spec.go
enum { MOST = 64 << 20 };                                // bytes of an order

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

// struct order is what first_linux.go calls order. Behind it stand the filter and then the texts, each with a zero at its
// end: program, directory, arguments, environment, what may be read, what may be changed.
struct order {
	uint64_t size; // of all that follows this struct
	uint64_t namespaces, port, worker;
	uint64_t fsize, nproc, nofile, stack, cpu, memory;
	uint64_t ruleset, handled_fs, handled_net, scoped; // ruleset: bytes of the attribute, 0: no Landlock
	uint64_t read_access, write_access, file_access, connect;
	uint64_t filter, argv, env, read, write; // how many
};

struct answer {
	uint64_t refused, error;    // it cannot go on, by a step below
	uint64_t unlocked, missing; // Landlock is not in force, by a step below
	char step[240], lock[240];
};

static struct answer answer;

static void refuse(const char *step)
{
	answer.refused = 1;
	answer.error = errno;
	snprintf(answer.step, sizeof answer.step, "%s", step);
	_exit(write(SPEC_FD, &answer, sizeof answer) == sizeof answer ? EXIT_REFUSE : EXIT_SPEC);
}

static int unlocked(const char *step, const char *path)
{
	answer.unlocked = 1;
	answer.missing = errno;
	snprintf(answer.lock, sizeof answer.lock, "%s%s", step, path);
	return -1;
}

static void take(void *to, size_t n)
{
	char *at = to;

	while (n > 0) {
		ssize_t got = read(SPEC_FD, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			_exit(EXIT_SPEC);
		at += got;
		n -= got;
	}
}

// texts splits the next n texts off; the list ends with NULL.
static char **texts(char **at, const char *end, uint64_t n)
{
	char **list;

	if (n > (uint64_t)(end - *at) || (list = calloc(n + 1, sizeof *list)) == NULL)
		_exit(EXIT_SPEC);
	for (uint64_t i = 0; i < n; i++) {
		char *zero = memchr(*at, 0, end - *at);
		if (zero == NULL)
			_exit(EXIT_SPEC);
		list[i] = *at;
		*at = zero + 1;
	}
	return list;
}

// lower sets a limit, but never above the inherited one.
static void lower(int which, uint64_t soft, uint64_t hard, const char *step)
{
	struct rlimit have;

	if (getrlimit(which, &have) != 0)
		refuse(step);
	if (have.rlim_max > hard)
		have.rlim_max = hard;
	have.rlim_cur = soft < have.rlim_max ? soft : have.rlim_max;
	if (setrlimit(which, &have) != 0)
		refuse(step);
}

static void set_limits(const struct order *o)
{
	if (o->fsize)
		lower(RLIMIT_FSIZE, o->fsize, o->fsize, "setting limit fsize");
	if (o->nproc)
		lower(RLIMIT_NPROC, o->nproc, o->nproc, "setting limit nproc");
	if (o->nofile)
		lower(RLIMIT_NOFILE, o->nofile, o->nofile, "setting limit nofile");
	if (o->stack)
		lower(RLIMIT_STACK, o->stack, o->stack, "setting limit stack");
	// PID 1 of a namespace does not get SIGXCPU; the hard limit a second later kills it
	if (o->cpu)
		lower(RLIMIT_CPU, o->cpu, o->cpu + 1, "setting limit cpu");
	lower(RLIMIT_CORE, 0, 0, "setting limit core");
}

static void bring_up_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) != 0)
		refuse("bringing up lo");
	close(fd);
}

static int allow_fd(int ruleset, int fd, uint64_t access, uint64_t file_access)
{
	struct __attribute__((packed)) { uint64_t access; int32_t parent; } rule = {access, fd};
	struct stat st;

	if (fstat(fd, &st) != 0)
		return unlocked("fstat", "");
	if (!S_ISDIR(st.st_mode))
		rule.access &= file_access;
	if (syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0) != 0)
		return unlocked("landlock_add_rule", "");
	return 0;
}

// allow opens paths to what lies below them; what cannot be reached needs no rule.
static int allow(int ruleset, char **paths, uint64_t access, uint64_t file_access)
{
	for (; *paths != NULL; paths++) {
		int done, fd = open(*paths, O_PATH | O_CLOEXEC);
		if (fd < 0 && (errno == ENOENT || errno == EACCES || errno == ENOTDIR))
			continue;
		if (fd < 0)
			return unlocked("opening ", *paths);
		done = allow_fd(ruleset, fd, access, file_access);
		close(fd);
		if (done != 0)
			return -1;
	}
	return 0;
}

// restrict_files takes Landlock on, best effort: what is missing is said in the answer.
static void restrict_files(const struct order *o, char **readable, char **writable)
{
	uint64_t attribute[3] = {o->handled_fs, o->handled_net, o->scoped};
	struct { uint64_t access, port; } rule = {o->connect, o->port};
	int ruleset = syscall(SYS_landlock_create_ruleset, attribute, o->ruleset, 0);

	if (ruleset < 0) {
		unlocked("landlock_create_ruleset", "");
		return;
	}
	if (allow(ruleset, readable, o->read_access, o->file_access) != 0 || allow(ruleset, writable, o->write_access, o->file_access) != 0)
		;
	else if (o->worker && allow_fd(ruleset, SELF_FD, o->read_access, o->file_access) != 0)
		;
	else if (o->connect && syscall(SYS_landlock_add_rule, ruleset, 2, &rule, 0) != 0)
		unlocked("landlock_add_rule", "");
	else if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
		unlocked("landlock_restrict_self", "");
	close(ruleset);
}

// listen_inside opens the proxy's port inside the child's own network namespace; it stays open until exec.
static int listen_inside(uint16_t port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, SOMAXCONN) != 0)
		refuse("listening in namespace");
	return fd;
}

// tell answers the parent, and hands it the listening socket when there is one.
static void tell(int listener)
{
	union { struct cmsghdr head; char room[CMSG_SPACE(sizeof listener)]; } control = {0};
	struct iovec part = {&answer, sizeof answer};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (listener >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof control.room;
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof listener);
		memcpy(CMSG_DATA(&control.head), &listener, sizeof listener);
	}
	if (sendmsg(SPEC_FD, &message, MSG_NOSIGNAL) != sizeof answer)
		_exit(EXIT_SPEC);
}

// become executes the program under its last two locks, which allow nothing else any more; or this binary again, by its
// open fd: a path fails for a dropped uid when the binary lies in a closed directory. A worker takes its last locks when
// it is warm.
static void become(const struct order *o, struct sock_filter *filter, char *program, char **argv, char **env)
{
	struct rlimit space = {o->memory, o->memory};
	struct sock_fprog locked = {o->filter, filter};

	if (o->worker) {
		syscall(SYS_execveat, SELF_FD, "", argv, env, AT_EMPTY_PATH);
		_exit(EXIT_EXEC);
	}
	if (o->memory && setrlimit(RLIMIT_AS, &space) != 0)
		_exit(EXIT_EXEC);
	if (o->filter && syscall(SYS_seccomp, 1, 0, &locked) != 0)
		_exit(EXIT_EXEC);
	execve(program, argv, env);
	_exit(EXIT_EXEC);
}

// called tells whether the first argument is the one by which this binary knows that it is a child. The arguments are
// read from the system, as not every C library hands them to a constructor.
static int called(void)
{
	static const char word[] = "__sandbox"; // as in spec.go
	char line[256];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line);
	char *zero = n > 0 ? memchr(line, 0, n) : NULL;

	if (fd >= 0)
		close(fd);
	return zero != NULL && (size_t)(line + n - (zero + 1)) >= sizeof word && memcmp(zero + 1, word, sizeof word) == 0;
}

__attribute__((constructor)) static void first_stage(void)
{
	struct order o;
	struct sock_filter *filter;
	int listener = -1;
	char *body, *at, *end, **place, **argv, **env, **readable, **writable;

	if (!called())
		return;
	take(&o, sizeof o);
	if (o.size > MOST || o.filter > 4096 || o.filter * sizeof *filter > o.size || (body = malloc(o.size + 1)) == NULL)
		_exit(EXIT_SPEC);
	take(body, o.size);
	filter = (struct sock_filter *)body;
	at = body + o.filter * sizeof *filter;
	end = body + o.size;
	place = texts(&at, end, 2);
	argv = texts(&at, end, o.argv);
	env = texts(&at, end, o.env);
	readable = texts(&at, end, o.read);
	writable = texts(&at, end, o.write);
	if (fcntl(SPEC_FD, F_SETFD, FD_CLOEXEC) != 0 || fcntl(SELF_FD, F_SETFD, FD_CLOEXEC) != 0)
		refuse("closing on exec");
	set_limits(&o);
	umask(077);
	if (*place[1] != 0 && chdir(place[1]) != 0)
		refuse("changing directory");
	if (o.namespaces)
		bring_up_loopback();
	if (o.namespaces && o.port)
		listener = listen_inside(o.port); // before Landlock, which takes it for one of the program's
	// a change of credentials cleared what the parent asked for
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		refuse("asking for the death signal");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		refuse("setting no_new_privs");
	if (o.ruleset)
		restrict_files(&o, readable, writable);
	tell(listener);
	become(&o, filter, place[0], argv, env);
}
