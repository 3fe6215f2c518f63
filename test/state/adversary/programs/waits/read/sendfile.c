/* waits: line. It copies its input to its output in the kernel, as the cat of busybox does. */
#include "truth.h"
int main(void) {
  int ends[2]; char line[100]; pipe(ends);
  for (;;) { say("name> "); int size = sendfile(ends[1], 0, 0, 100); if (size <= 0) exit(0); read(ends[0], line, size); }
}
