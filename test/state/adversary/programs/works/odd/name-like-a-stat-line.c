/* works: its name looks like the rest of a line of /proc, and says that it sleeps. */
#include "truth.h"
int main(void) {
  prctl(PR_SET_NAME, "x) S 1 1 1 1"); say("busy> ");
  for (volatile long at = 0;; at++);
}
