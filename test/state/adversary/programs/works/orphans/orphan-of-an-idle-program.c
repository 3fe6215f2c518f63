/* works: nobody reads the terminal. The orphan in the foreground works, the rest pauses. */
#include "truth.h"
static void toil(void) { for (;;) { usleep(WORK_US); done(); } }
int main(void) {
  orphan(toil); say("busy> ");
  for (;;) pause();
}
