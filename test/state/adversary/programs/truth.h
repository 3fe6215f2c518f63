/* What the programs here have in common. The first line of each says what is true of it. */
#ifndef TRUTH_H
#define TRUTH_H
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* How long an answer takes. A verdict is asked for before that. */
#define WORK_SECONDS {1, 500000000}
#define WORK_US 1500000

/* Semaphores and queues outlive their programs, so all programs use the same ones. */
#define IPC_KEY 0x52706574

/* Without its terminal nobody listens any more, and it must not outlive a test that was killed. */
static inline void say(const char *text) {
  if (write(1, text, strlen(text)) < 0) _exit(0);
}

static inline void set_mode(unsigned off, int minimum, int time) {
  struct termios mode;
  tcgetattr(0, &mode);
  mode.c_lflag &= ~off;
  mode.c_cc[VMIN] = minimum;
  mode.c_cc[VTIME] = time;
  tcsetattr(0, TCSANOW, &mode);
}

/* Single keys without echo, single keys, and lines without echo. */
static inline void raw(void) { set_mode(ICANON | ECHO, 1, 0); }
static inline void cbreak(void) { set_mode(ICANON, 1, 0); }
static inline void no_echo(void) { set_mode(ECHO, 1, 0); }

static inline void add(int epoll, int fd, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = fd};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Reads a key and answers; the end of the input ends the program. */
static inline void answer(void) {
  char key;
  if (read(0, &key, 1) <= 0) exit(0);
  say("got it\r\n");
}

/* Asks for one line after another. */
static inline void ask(const char *prompt) {
  char line[100];
  for (;;) { say(prompt); if (read(0, line, 100) <= 0) exit(0); say("hello\n"); }
}

/* Reads the terminal while it owes an answer. */
static inline void read_on(const char *prompt) {
  char line[100];
  say(prompt);
  for (;;) if (read(0, line, 100) == 0) exit(0);
}

/* The answer that it owed. */
static inline void done(void) { say("done\r\n> "); }

static inline void start(void *(*run)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
}

/* A child that works in a session of its own, without the terminal. */
static inline int child_apart(void (*run)(void)) {
  int pid = fork();
  if (pid == 0) { setsid(); alarm(60); close(0); close(1); close(2); run(); _exit(0); }
  return pid;
}

/* The same, but nobody is its parent any more. It ends with the program that has started it. */
static inline void daemon_apart(void (*run)(void)) {
  int starter = getpid(), gone[2];
  pipe(gone);
  if (fork() == 0) {
    if (fork() == 0) {
      setsid(); alarm(60); close(0); close(1); close(2); close(gone[0]); close(gone[1]);
      while (kill(starter, 0) == 0) run();
    }
    _exit(0);
  }
  close(gone[1]); char none; read(gone[0], &none, 1); close(gone[0]);
  wait(0);
}

/* A child that is in the foreground, but whose parent has ended. */
static inline void orphan(void (*run)(void)) {
  if (fork() == 0) {
    if (fork() == 0) { run(); _exit(0); }
    _exit(0);
  }
  wait(0);
}

static inline void *shared_memory(void) {
  return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static inline long futex(int *word, int operation, int value, struct timespec *time) {
  return syscall(SYS_futex, word, operation, value, time, 0, 0);
}

/* A file of its own in the folder for such things, removed at once. */
static inline int scratch_file(void) {
  char name[] = "/tmp/repartee-adversary-XXXXXX";
  int fd = mkstemp(name);
  unlink(name);
  return fd;
}

/* A terminal inside ours, with a program on it. */
static inline int inner(void (*run)(void)) {
  int master;
  if (forkpty(&master, 0, 0, 0) == 0) { close_range(3, ~0U, 0); run(); _exit(0); }
  return master;
}

static inline int copy(int from, int to) {
  char text[1000];
  int size = read(from, text, 1000);
  if (size > 0) write(to, text, size);
  return size > 0;
}

/* Copies both ways between our terminal and those inside it; what is typed goes to the first. */
static inline void relay(int first, int second) {
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  raw();
  for (;;) {
    poll(waited, second < 0 ? 2 : 3, -1);
    if (waited[0].revents && !copy(0, first)) exit(0);
    if (waited[1].revents && !copy(first, 1)) exit(0);
    if (second >= 0 && waited[2].revents && !copy(second, 1)) exit(0);
  }
}

#endif
