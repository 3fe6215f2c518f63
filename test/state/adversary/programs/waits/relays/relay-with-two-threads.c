/* waits: line. A relay with one thread for each direction. */
#include "truth.h"
static int master;
static void question(void) { ask("name> "); }
static void *back(void *none) { while (copy(master, 1)) {} exit(0); return none; }
int main(void) { master = inner(question); raw(); start(back); while (copy(0, master)) {} }
