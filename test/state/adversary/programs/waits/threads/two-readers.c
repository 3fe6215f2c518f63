/* waits: line. Two threads read. */
#include "truth.h"
static void *question(void *none) { ask("name> "); return none; }
int main(void) { start(question); ask(""); }
