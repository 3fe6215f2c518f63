/* waits: key. It relays a program that reads keys. */
#include "truth.h"
static void question(void) { raw(); for (;;) { say("press> "); answer(); } }
int main(void) { relay(inner(question), -1); }
