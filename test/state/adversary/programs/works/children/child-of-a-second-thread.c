/* works: it reads the terminal. A child of another of its threads works in a session of its own, and its end is seen by its signal. */
#include "truth.h"
static void rest(void) { usleep(WORK_US); }
static void on_child(int signal) { wait(0); done(); child_apart(rest); }
static void *begin(void *none) { child_apart(rest); for (;;) pause(); return none; }
int main(void) {
  signal(SIGCHLD, on_child); start(begin);
  read_on("busy> ");
}
