/* works: it relays a relay of a program that sleeps. */
#include "truth.h"
static void toil(void) { say("busy> "); for (;;) { usleep(WORK_US); done(); } }
static void between(void) { relay(inner(toil), -1); }
int main(void) { relay(inner(between), -1); }
