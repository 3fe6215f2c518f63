/* works: it sleeps. */
#include "truth.h"
int main(void) { say("busy> "); for (;;) { usleep(WORK_US); done(); } }
