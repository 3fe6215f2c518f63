/* waits: secret. */
#include "truth.h"
int main(void) { no_echo(); ask("Password: "); }
