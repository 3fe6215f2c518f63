/* works: of its two inner terminals the one that gets the input works, while the other asks. */
#include "truth.h"
static void toil(void) { say("busy> "); for (;;) { usleep(WORK_US); done(); } }
static void question(void) { ask("name> "); }
int main(void) { relay(inner(toil), inner(question)); }
