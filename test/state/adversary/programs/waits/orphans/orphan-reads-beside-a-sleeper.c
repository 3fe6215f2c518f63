/* waits: line. The reader was started by two forks; the rest sleeps for an hour. */
#include "truth.h"
static void question(void) { ask("name> "); }
int main(void) { orphan(question); for (;;) sleep(3600); }
