/* waits: line. The reader was started by two forks; the rest pauses. */
#include "truth.h"
static void question(void) { ask("name> "); }
int main(void) { orphan(question); for (;;) pause(); }
