/* works: it reads the terminal. An orphan works in the background of the same session. */
#include "truth.h"
static void toil(void) { setpgid(0, 0); for (;;) { usleep(WORK_US); done(); } }
int main(void) {
  orphan(toil);
  read_on("busy> ");
}
