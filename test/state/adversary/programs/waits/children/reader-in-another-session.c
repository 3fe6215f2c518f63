/* waits: line. Its parent polls a signalfd; it has left the session and has no controlling terminal. */
#include "truth.h"
int main(void) {
  sigset_t set; sigemptyset(&set); sigaddset(&set, SIGCHLD); sigprocmask(SIG_BLOCK, &set, 0);
  int signals = signalfd(-1, &set, 0);
  if (fork() == 0) {
    setsid();
    char line[100];
    for (;;) { say("name> "); if (read(0, line, 100) <= 0) exit(0); say("hello\n"); }
  }
  struct pollfd waited = {.fd = signals, .events = POLLIN};
  poll(&waited, 1, -1);
}
