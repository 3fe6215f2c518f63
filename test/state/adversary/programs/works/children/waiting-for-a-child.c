/* works: it waits for a child, which sleeps. */
#include "truth.h"
int main(void) {
  say("busy> ");
  for (;;) { if (fork() == 0) { usleep(WORK_US); _exit(0); } wait(0); done(); }
}
