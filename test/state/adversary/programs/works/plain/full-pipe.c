/* works: it writes into a full pipe. */
#include "truth.h"
int main(void) {
  int ends[2]; pipe(ends); say("busy> ");
  for (char block[4096] = "";;) write(ends[1], block, 4096);
}
