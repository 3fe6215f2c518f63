/* works: a thread reads a named pipe, to which a daemon writes. */
#include "truth.h"
static int fifo;
static char name[] = "/tmp/repartee-adversary-XXXXXX";
static void feed(void) { usleep(WORK_US); write(fifo, "x", 1); }
static void *work(void *none) { char text; while (read(fifo, &text, 1) > 0) done(); return none; }
int main(void) {
  close(mkstemp(name)); unlink(name); mkfifo(name, 0600);
  fifo = open(name, O_RDWR); unlink(name);
  daemon_apart(feed); start(work);
  read_on("busy> ");
}
