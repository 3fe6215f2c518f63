/* waits: line. A thread waits for the signals that would end the program. */
#include "truth.h"
static sigset_t set;
static void *end(void *none) { int signal; sigwait(&set, &signal); exit(0); return none; }
int main(void) {
  sigemptyset(&set); sigaddset(&set, SIGTERM); sigaddset(&set, SIGHUP); sigprocmask(SIG_BLOCK, &set, 0);
  start(end); ask("name> ");
}
