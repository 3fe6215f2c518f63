/* waits: line. It relays a program that asks for a line. */
#include "truth.h"
static void question(void) { ask("name> "); }
int main(void) { relay(inner(question), -1); }
