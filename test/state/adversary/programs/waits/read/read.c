/* waits: line. */
#include "truth.h"
int main(void) { ask("name> "); }
