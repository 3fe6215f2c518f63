/* waits: line. The inner program that asks for a line has inherited the master of the other, which asks for a secret. */
#include "truth.h"
static void secret(void) { no_echo(); ask("Password: "); }
int main(void) {
  int other = inner(secret), master;
  if (forkpty(&master, 0, 0, 0) == 0) ask("name> ");
  relay(master, other);
}
