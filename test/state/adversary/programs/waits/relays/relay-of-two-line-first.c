/* waits: line. Of its two inner terminals the one that gets the input asks for a line, the other for a secret. */
#include "truth.h"
static void question(void) { ask("name> "); }
static void secret(void) { no_echo(); ask("Password: "); }
int main(void) { relay(inner(question), inner(secret)); }
