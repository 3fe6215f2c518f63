/* waits: line. A thread of it waits for others to connect. */
#include "truth.h"
static int listener;
static void *serve(void *none) { accept(listener, 0, 0); return none; }
int main(void) {
  listener = socket(AF_INET, SOCK_STREAM, 0);
  listen(listener, 1); start(serve);
  ask("name> ");
}
