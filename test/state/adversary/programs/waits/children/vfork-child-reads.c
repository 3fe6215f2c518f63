/* waits: line. A vfork child reads, while its parent sleeps without a call of its own. */
#include "truth.h"
int main(void) {
  if (vfork() == 0) { ask("name> "); _exit(0); }
}
