/* works: it waits for a connection. */
#include "truth.h"
int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  listen(listener, 1); say("busy> ");
  accept(listener, 0, 0);
}
