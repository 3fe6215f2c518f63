/* works: a thread waits for the signal of a daemon. */
#include "truth.h"
static int reader;
static sigset_t set;
static void feed(void) { usleep(WORK_US); kill(reader, SIGUSR1); }
static void *work(void *none) { int signal; for (;;) { sigwait(&set, &signal); done(); } return none; }
int main(void) {
  reader = getpid();
  sigemptyset(&set); sigaddset(&set, SIGUSR1); sigprocmask(SIG_BLOCK, &set, 0);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
