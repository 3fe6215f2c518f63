/* works: it only reads the terminal. The child of a daemon sends it a signal, while the daemon waits for that child. */
#include "truth.h"
static int reader;
static void feed(void) { if (fork() == 0) { usleep(WORK_US); kill(reader, SIGUSR1); _exit(0); } wait(0); }
static void ring(int signal) { done(); }
int main(void) {
  reader = getpid();
  signal(SIGUSR1, ring);
  daemon_apart(feed);
  read_on("busy> ");
}
