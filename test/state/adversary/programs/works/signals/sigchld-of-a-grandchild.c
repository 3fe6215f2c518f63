/* works: only its grandchild works, in a session of its own. The child waits for that. */
#include "truth.h"
static void begin(void) {
  if (fork() == 0) { setsid(); if (fork() == 0) { setsid(); usleep(WORK_US); _exit(0); } wait(0); _exit(0); }
}
static void on_child(int signal) { wait(0); done(); begin(); }
int main(void) {
  signal(SIGCHLD, on_child);
  begin();
  read_on("busy> ");
}
