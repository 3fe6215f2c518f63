/* waits: line. The leader of the group has ended its first thread, the orphan reads. */
#include "truth.h"
static void question(void) { ask("name> "); }
static void *rest(void *none) { for (;;) pause(); return none; }
int main(void) { orphan(question); start(rest); pthread_exit(0); }
