/* waits: secret. It shows nothing at all. */
#include "truth.h"
int main(void) { no_echo(); ask(""); }
