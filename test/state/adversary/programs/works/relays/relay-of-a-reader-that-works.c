/* works: it relays a program that reads in one thread and sleeps in another. */
#include "truth.h"
static void *work(void *none) { for (;;) { usleep(WORK_US); done(); } return none; }
static void toil(void) { start(work); read_on("busy> "); }
int main(void) { relay(inner(toil), -1); }
