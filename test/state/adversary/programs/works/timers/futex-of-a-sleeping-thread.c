/* works: a thread waits for another, which sleeps. */
#include "truth.h"
static void *rest(void *none) { usleep(WORK_US); return none; }
static void *work(void *none) {
  for (pthread_t other;;) { pthread_create(&other, 0, rest, 0); pthread_join(other, 0); done(); }
  return none;
}
int main(void) {
  start(work);
  read_on("busy> ");
}
