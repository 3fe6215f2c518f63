/* works: its child in the background reads the terminal and is stopped for that; it waits for another. */
#include "truth.h"
int main(void) {
  if (fork() == 0) { setpgid(0, 0); char text; read(0, &text, 1); _exit(0); }
  say("busy> ");
  for (;;) { usleep(WORK_US); done(); }
}
