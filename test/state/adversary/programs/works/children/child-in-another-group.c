/* works: a thread waits for a child in another group. */
#include "truth.h"
static void *work(void *none) {
  for (;;) { if (fork() == 0) { setpgid(0, 0); usleep(WORK_US); _exit(0); } wait(0); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
