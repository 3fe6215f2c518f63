/* waits: line. Both inner programs ask for a line. */
#include "truth.h"
static void question(void) { ask("name> "); }
int main(void) { relay(inner(question), inner(question)); }
