/* works: its child works in a group of its own. */
#include "truth.h"
static void begin(void) { if (fork() == 0) { setpgid(0, 0); usleep(WORK_US); _exit(0); } }
static void on_child(int signal) { wait(0); done(); begin(); }
int main(void) {
  signal(SIGCHLD, on_child);
  begin();
  read_on("busy> ");
}
