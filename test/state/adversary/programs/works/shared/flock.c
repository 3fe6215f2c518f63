/* works: a thread waits for a lock on a file, which a daemon holds. */
#include "truth.h"
static char path[40];
static int held;
static void hold(void) { flock(held, LOCK_EX); usleep(WORK_US); flock(held, LOCK_UN); usleep(1000); }
static void *work(void *none) {
  int file = open(path, O_RDWR);
  usleep(100000);
  for (;;) { flock(file, LOCK_EX); flock(file, LOCK_UN); done(); usleep(100000); }
  return none;
}
int main(void) {
  held = scratch_file(); sprintf(path, "/proc/self/fd/%d", held);
  daemon_apart(hold); start(work);
  read_on("busy> ");
}
