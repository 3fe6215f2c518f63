/* What the programs here have in common. The first line of each says what is true of it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static inline void say(const char *text) { write(1, text, strlen(text)); }

static inline void raw(void) {
  struct termios mode;
  tcgetattr(0, &mode);
  mode.c_lflag &= ~(ICANON | ECHO);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  tcsetattr(0, TCSANOW, &mode);
}

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
