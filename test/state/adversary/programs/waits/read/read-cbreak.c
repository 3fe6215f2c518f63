/* waits: key. */
#include "truth.h"
int main(void) { cbreak(); for (;;) { say("press> "); answer(); } }
