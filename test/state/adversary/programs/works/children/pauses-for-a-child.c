/* works: it pauses until the signal of its child, which works in another session. */
#include "truth.h"
static void rest(void) { usleep(WORK_US); }
static void on_child(int signal) { wait(0); done(); child_apart(rest); }
int main(void) {
  signal(SIGCHLD, on_child); say("busy> "); child_apart(rest);
  for (;;) pause();
}
