/* waits: line. The reader has called setsid, and its parent waits in sigsuspend. */
#include "truth.h"
static void on_child(int signal) { exit(0); }
int main(void) {
  sigset_t set; sigemptyset(&set); signal(SIGCHLD, on_child);
  if (fork() == 0) { setsid(); ask("name> "); }
  sigsuspend(&set);
}
