/* works: a thread waits for a lock of an open file (F_OFD_SETLKW), which a daemon holds. */
#include "truth.h"
static int held;
static char path[40];
static void lock(int file, int kind) { struct flock what = {.l_type = kind}; fcntl(file, F_OFD_SETLKW, &what); }
static void hold(void) { lock(held, F_WRLCK); usleep(WORK_US); lock(held, F_UNLCK); usleep(1000); }
static void *work(void *none) {
  int file = open(path, O_RDWR);
  usleep(100000);
  for (;;) { lock(file, F_WRLCK); lock(file, F_UNLCK); done(); usleep(100000); }
  return none;
}
int main(void) {
  held = scratch_file(); sprintf(path, "/proc/self/fd/%d", held);
  daemon_apart(hold); start(work);
  read_on("busy> ");
}
