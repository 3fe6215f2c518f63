/* works: it holds both ends of its pipe, and so does a daemon that has nothing else of it, not even its environment. */
#include "truth.h"
static int ends[2];
static void forget(void) {
  char end[20]; sprintf(end, "%d", ends[1]);
  execle("/proc/self/exe", "feed", end, (char *)0, (char *[]){0});
}
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(int count, char **args) {
  if (count > 1) { for (int at = 0; at < 4; at++) { usleep(WORK_US); write(atoi(args[1]), "x", 1); } return 0; }
  pipe(ends); daemon_apart(forget); start(work);
  read_on("busy> ");
}
