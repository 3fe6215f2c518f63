/* works: a thread sleeps, and the program was stopped and continued meanwhile (restart_syscall). */
#include "truth.h"
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
int main(void) {
  int reader = getpid();
  start(work);
  if (fork() == 0) { usleep(50000); kill(reader, SIGSTOP); usleep(50000); kill(reader, SIGCONT); _exit(0); }
  read_on("busy> ");
}
