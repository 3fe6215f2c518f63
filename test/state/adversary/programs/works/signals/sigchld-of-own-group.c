/* works: it reads the terminal, and prints whenever its child ends, which is in the foreground too. */
#include "truth.h"
static void begin(void) { if (fork() == 0) { usleep(WORK_US); _exit(0); } }
static void on_child(int signal) { wait(0); done(); begin(); }
int main(void) {
  signal(SIGCHLD, on_child);
  begin();
  read_on("busy> ");
}
