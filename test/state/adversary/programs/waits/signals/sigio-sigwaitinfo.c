/* waits: line. The signal is another one (F_SETSIG). */
#include "truth.h"
int main(void) {
  sigset_t set; sigemptyset(&set); sigaddset(&set, SIGRTMIN); sigprocmask(SIG_BLOCK, &set, 0);
  fcntl(0, F_SETOWN, getpid()); fcntl(0, F_SETSIG, SIGRTMIN);
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_ASYNC | O_NONBLOCK);
  for (char line[100];;) { say("name> "); sigwaitinfo(&set, 0); if (read(0, line, 100) == 0) exit(0); }
}
