/* waits: line. The reader was started by two forks and has left the session; the rest pauses. */
#include "truth.h"
static void question(void) { setsid(); ask("name> "); }
int main(void) { orphan(question); for (;;) pause(); }
