/* waits: line. It moves its input into a pipe. */
#include "truth.h"
int main(void) {
  int ends[2]; char line[100]; pipe(ends);
  for (;;) { say("name> "); int size = splice(0, 0, ends[1], 0, 100, 0); if (size <= 0) exit(0); read(ends[0], line, size); }
}
