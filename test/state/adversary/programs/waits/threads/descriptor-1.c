/* waits: line. It reads its output, which is the same terminal. */
#include "truth.h"
int main(void) {
  close(0);
  for (char line[100];;) { say("name> "); if (read(1, line, 100) <= 0) exit(0); }
}
