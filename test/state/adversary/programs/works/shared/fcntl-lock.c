/* works: a thread waits for a lock of fcntl(2), which a child in another session holds. */
#include "truth.h"
static int file;
static void lock(int kind) { struct flock what = {.l_type = kind}; fcntl(file, F_SETLKW, &what); }
static void hold(void) { for (;;) { lock(F_WRLCK); usleep(WORK_US); lock(F_UNLCK); usleep(1000); } }
static void *work(void *none) { usleep(100000); for (;;) { lock(F_WRLCK); lock(F_UNLCK); done(); usleep(100000); } return none; }
int main(void) {
  file = scratch_file(); child_apart(hold); start(work);
  read_on("busy> ");
}
