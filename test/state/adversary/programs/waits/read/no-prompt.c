/* waits: line. It shows nothing at all. */
#include "truth.h"
int main(void) { ask(""); }
