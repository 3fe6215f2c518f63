/* works: the reader gets a signal at its input too, and a thread sleeps until the work is done. */
#include "truth.h"
static void on_input(int signal) {}
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
int main(void) {
  signal(SIGIO, on_input);
  fcntl(0, F_SETOWN, getpid());
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_ASYNC);
  start(work);
  read_on("busy> ");
}
