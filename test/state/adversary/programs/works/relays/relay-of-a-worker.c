/* works: it relays a program that sleeps. */
#include "truth.h"
static void toil(void) { say("busy> "); for (;;) { usleep(WORK_US); done(); } }
int main(void) { relay(inner(toil), -1); }
