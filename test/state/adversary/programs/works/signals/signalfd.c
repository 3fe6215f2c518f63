/* works: a thread reads a signalfd, and a child in another session sends the signal. */
#include "truth.h"
static int reader, signals;
static void feed(void) { for (;;) { usleep(WORK_US); kill(reader, SIGUSR1); } }
static void *work(void *none) { char text[500]; while (read(signals, text, 500) > 0) done(); return none; }
int main(void) {
  sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); sigprocmask(SIG_BLOCK, &set, 0);
  reader = getpid(); signals = signalfd(-1, &set, 0);
  child_apart(feed); start(work);
  read_on("busy> ");
}
