/* works: it only reads the terminal, and a daemon sends it a signal. */
#include "truth.h"
static int reader;
static void feed(void) { usleep(WORK_US); kill(reader, SIGUSR1); }
static void ring(int signal) { done(); }
int main(void) {
  reader = getpid();
  signal(SIGUSR1, ring);
  daemon_apart(feed);
  read_on("busy> ");
}
