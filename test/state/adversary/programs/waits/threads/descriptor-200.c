/* waits: line. */
#include "truth.h"
int main(void) {
  dup2(0, 200); close(0);
  for (char line[100];;) { say("name> "); if (read(200, line, 100) <= 0) exit(0); }
}
