/* waits: line. It was stopped and continued in its poll with a far time-out (restart_syscall). */
#include "truth.h"
int main(void) {
  int reader = getpid(); struct pollfd waited = {.fd = 0, .events = POLLIN};
  if (fork() == 0) { usleep(50000); kill(reader, SIGSTOP); usleep(20000); kill(reader, SIGCONT); _exit(0); }
  say("name> ");
  for (char line[100];;) if (poll(&waited, 1, 3600000) > 0 && read(0, line, 100) <= 0) exit(0);
}
