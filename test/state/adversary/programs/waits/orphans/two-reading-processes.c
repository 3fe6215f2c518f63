/* waits: line. Two processes read. */
#include "truth.h"
int main(void) { fork(); ask("name> "); }
