/*
 * A program that waits, works, or does both, as its arguments say. It writes down what is true:
 * "reading" when it is about to wait for the terminal, "due" when something will make it speak, and
 * "speaks" when it prints without having been asked.
 *
 * any LOG mode=… wait=… timeout=… extra=… worker=… prompt=… place=…
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int log_fd, argument_count;
static char **arguments;
/* When what is due happens. */
static const struct timespec due = {1, 200000000};

static int is(const char *option) {
  for (int at = 2; at < argument_count; at++)
    if (strcmp(arguments[at], option) == 0) return 1;
  return 0;
}

static void note(const char *what) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[100];
  int length = snprintf(line, 100, "%.3f %s\n", now.tv_sec * 1e3 + now.tv_nsec / 1e6, what);
  write(log_fd, line, length);
}

static void say(const char *text) { write(1, text, strlen(text)); }

/* The note first: whoever sees the words may look for it. */
static void speak(void) {
  note("speaks");
  say("done\r\n> ");
}

static void *sleep_and_speak(void *unused) {
  nanosleep(&due, 0);
  speak();
  for (;;) pause();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static void *wait_for_a_thread(void *unused) {
  pthread_mutex_lock(&lock);
  for (;;) pthread_cond_wait(&never, &lock);
}

static int *shared;
static void *wait_for_shared_memory(void *unused) {
  while (*(volatile int *)shared == 0) syscall(SYS_futex, shared, FUTEX_WAIT, 0, 0, 0, 0);
  speak();
  for (;;) pause();
}

static int read_by_thread;
static void *read_and_speak(void *unused) {
  char byte;
  if (read(read_by_thread, &byte, 1) == 1) speak();
  for (;;) pause();
}

static void *compute(void *unused) {
  for (volatile unsigned long n = 0; n < 2000000000UL; n++) {}
  speak();
  for (;;) pause();
}

static void ring(union sigval unused) { speak(); }

static void start_thread(void *(*run)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
}

/* What goes on beside the reader. */
static void start_worker(void) {
  static const char *speaking[] = {
    "worker=thread-sleeps", "worker=thread-computes", "worker=timer", "worker=shared-memory",
    "worker=thread-pipe", "worker=child-speaks", "worker=session-speaks", "worker=group-speaks",
    "worker=orphan-speaks",
  };
  for (int at = 0; at < 9; at++)
    if (is(speaking[at])) note("due");
  if (is("worker=thread-sleeps")) start_thread(sleep_and_speak);
  if (is("worker=thread-idle")) start_thread(wait_for_a_thread);
  if (is("worker=thread-computes")) start_thread(compute);
  if (is("worker=timer")) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    struct itimerspec when = {.it_value = due};
    timer_settime(timer, 0, &when, 0);
  }
  if (is("worker=shared-memory")) {
    shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
      setsid();
      nanosleep(&due, 0);
      *shared = 1;
      syscall(SYS_futex, shared, FUTEX_WAKE, 1, 0, 0, 0);
      for (;;) pause();
    }
    start_thread(wait_for_shared_memory);
  }
  if (is("worker=thread-pipe") || is("worker=thread-pipe-idle")) {
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
      setsid();
      nanosleep(&due, 0);
      if (is("worker=thread-pipe")) write(ends[1], "x", 1);
      for (;;) pause();
    }
    close(ends[1]);
    read_by_thread = ends[0];
    start_thread(read_and_speak);
  }
  if (is("worker=child-speaks") || is("worker=session-speaks") || is("worker=group-speaks")) {
    if (fork() == 0) {
      if (is("worker=session-speaks")) setsid();
      if (is("worker=group-speaks")) setpgid(0, 0);
      signal(SIGTTOU, SIG_IGN);
      nanosleep(&due, 0);
      speak();
      for (;;) pause();
    }
  }
  if (is("worker=orphan-speaks")) {
    pid_t child = fork();
    if (child == 0) {
      if (fork() == 0) {
        nanosleep(&due, 0);
        speak();
        for (;;) pause();
      }
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
  if (is("worker=child-ends")) {
    if (fork() == 0) _exit(0);
  }
}

/* Descriptors for which the reader waits beside the terminal. */
static int extra[2], extras;
static void make_extra(void) {
  int ends[2] = {-1, -1};
  if (is("extra=eventfd")) extra[extras++] = eventfd(0, 0);
  if (is("extra=pipe")) pipe(ends), extra[extras++] = ends[0];
  if (is("extra=socketpair")) socketpair(AF_UNIX, SOCK_STREAM, 0, ends), extra[extras++] = ends[0];
  if (is("extra=timer-off")) extra[extras++] = timerfd_create(CLOCK_MONOTONIC, 0);
  if (is("extra=timer-on")) {
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec when = {.it_value = due};
    timerfd_settime(fd, 0, &when, 0);
    if (!is("wait=read") && !is("wait=readv")) note("due");
    extra[extras++] = fd;
  }
  if (is("extra=signals")) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    extra[extras++] = signalfd(-1, &set, 0);
  }
  if (is("extra=listener")) {
    extra[extras] = socket(AF_INET, SOCK_STREAM, 0);
    listen(extra[extras++], 1);
  }
  if (is("extra=inotify")) {
    extra[extras] = inotify_init();
    inotify_add_watch(extra[extras++], "/", IN_ATTRIB);
  }
  int isPipe = is("extra=child-pipe"), isEvent = is("extra=child-eventfd");
  if (isPipe || isEvent || is("extra=child-socket")) {
    if (!is("wait=read") && !is("wait=readv")) note("due");
    if (isPipe) pipe(ends);
    else if (isEvent) ends[0] = ends[1] = eventfd(0, 0);
    else socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
      nanosleep(&due, 0);
      unsigned long one = 1;
      write(ends[1], &one, 8);
      for (;;) pause();
    }
    if (!isEvent) close(ends[1]);
    extra[extras++] = ends[0];
  }
}

static int timeout_ms(void) {
  if (is("timeout=short")) return 150;
  if (is("timeout=middle")) return 700;
  return is("timeout=long") ? 6000 : -1;
}

/* Returns the readable descriptor, or -1 after the time-out. */
static int wait_for_one(void) {
  int fds[3] = {0, extra[0], extra[1]}, count = 1 + extras, ms = timeout_ms();
  struct timespec spec = {ms / 1000, ms % 1000 * 1000000L}, *limit = ms < 0 ? 0 : &spec;
  if (is("wait=poll") || is("wait=ppoll")) {
    struct pollfd polled[3];
    for (int at = 0; at < count; at++) polled[at] = (struct pollfd){fds[at], POLLIN, 0};
    if (is("wait=poll")) poll(polled, count, ms);
    else ppoll(polled, count, limit, 0);
    for (int at = 0; at < count; at++)
      if (polled[at].revents) return fds[at];
    return -1;
  }
  if (is("wait=select") || is("wait=pselect")) {
    fd_set set;
    FD_ZERO(&set);
    int last = 0;
    for (int at = 0; at < count; at++) {
      FD_SET(fds[at], &set);
      if (fds[at] > last) last = fds[at];
    }
    struct timeval time = {ms / 1000, ms % 1000 * 1000};
    if (is("wait=select")) select(last + 1, &set, 0, 0, ms < 0 ? 0 : &time);
    else pselect(last + 1, &set, 0, 0, limit, 0);
    for (int at = 0; at < count; at++)
      if (FD_ISSET(fds[at], &set)) return fds[at];
    return -1;
  }
  static int epoll = -1, outer;
  if (epoll < 0) {
    epoll = epoll_create1(0);
    for (int at = 0; at < count; at++) {
      struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[at]};
      epoll_ctl(epoll, EPOLL_CTL_ADD, fds[at], &event);
    }
    outer = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = epoll};
    epoll_ctl(outer, EPOLL_CTL_ADD, epoll, &event);
  }
  struct epoll_event event;
  if (is("wait=poll-epoll")) {
    struct pollfd polled = {epoll, POLLIN, 0};
    poll(&polled, 1, ms);
  }
  if (is("wait=epoll-epoll")) epoll_wait(outer, &event, 1, ms);
  int now = is("wait=poll-epoll") || is("wait=epoll-epoll") ? 0 : ms;
  int got = is("wait=epoll2") ? syscall(SYS_epoll_pwait2, epoll, &event, 1, limit, 0, 8)
                              : epoll_wait(epoll, &event, 1, now);
  return got == 1 ? event.data.fd : -1;
}

static void *converse(void *unused) {
  char line[100];
  int isPlain = is("wait=read") || is("wait=readv");
  note("reading");
  for (;;) {
    int fd = isPlain ? 0 : wait_for_one();
    if (fd < 0) continue;
    struct iovec piece = {line, 100};
    int length = is("wait=readv") ? readv(fd, &piece, 1) : read(fd, line, 100);
    if (length <= 0) exit(0);
    if (fd == 0) say("got it\r\n> ");
    else speak();
  }
}

static void run(void) {
  struct termios mode;
  tcgetattr(0, &mode);
  if (is("mode=raw")) mode.c_lflag &= ~(ICANON | ECHO);
  if (is("mode=secret")) mode.c_lflag &= ~ECHO;
  signal(SIGTTOU, SIG_IGN);
  tcsetattr(0, TCSANOW, &mode);
  start_worker();
  make_extra();
  if (is("prompt=yes")) say("Name: ");
  if (is("place=thread")) {
    start_thread(converse);
    for (;;) pause();
  }
  converse(0);
}

/* Copies between our terminal and one of its own. */
static void relay(void) {
  int master;
  struct winsize size = {24, 80};
  if (forkpty(&master, 0, 0, &size) == 0) run();
  struct termios mode;
  tcgetattr(0, &mode);
  cfmakeraw(&mode);
  tcsetattr(0, TCSANOW, &mode);
  char piece[4096];
  for (;;) {
    struct pollfd polled[2] = {{0, POLLIN, 0}, {master, POLLIN, 0}};
    poll(polled, 2, -1);
    for (int at = 0; at < 2; at++) {
      if (!polled[at].revents) continue;
      int length = read(polled[at].fd, piece, 4096);
      if (length <= 0) exit(0);
      write(at == 0 ? master : 1, piece, length);
    }
  }
}

int main(int count, char **values) {
  argument_count = count;
  arguments = values;
  log_fd = open(values[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (is("place=relay")) relay();
  if (is("place=session") || is("place=child")) {
    pid_t child = fork();
    if (child != 0) {
      waitpid(child, 0, 0);
      return 0;
    }
    if (is("place=session")) setsid();
  }
  run();
}
