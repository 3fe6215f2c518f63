/* waits: line. */
#include "truth.h"
int main(void) {
  sigset_t set; sigemptyset(&set); sigaddset(&set, SIGIO); sigprocmask(SIG_BLOCK, &set, 0);
  int signals = signalfd(-1, &set, 0); fcntl(0, F_SETOWN, getpid());
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_ASYNC | O_NONBLOCK);
  struct pollfd waited = {.fd = signals, .events = POLLIN};
  for (char line[200];;) { say("name> "); poll(&waited, 1, -1); read(signals, line, 200); if (read(0, line, 100) == 0) exit(0); }
}
