/* works: it reads the terminal, and prints whenever its child, which works in a session of its own, ends. */
#include "truth.h"
static void begin(void) {
  if (fork() == 0) { setsid(); close(0); close(1); close(2); usleep(1500000); _exit(0); }
}
static void on_child(int signal) { (void)signal; wait(0); say("done\r\n> "); begin(); }
int main(void) {
  signal(SIGCHLD, on_child);
  begin();
  say("busy> "); char line[100];
  for (;;) if (read(0, line, 100) == 0) exit(0);
}
