/* waits: key. */
#include "truth.h"
int main(void) { raw(); for (;;) { say("press> "); answer(); } }
