/* works: its vfork child sleeps. */
#include "truth.h"
int main(void) {
  say("busy> ");
  for (;;) { if (vfork() == 0) { usleep(WORK_US); _exit(0); } done(); }
}
