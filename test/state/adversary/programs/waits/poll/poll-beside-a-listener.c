/* waits: key. It also waits for others to connect, as editors do. */
#include "truth.h"
int main(void) {
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN}};
  listen(waited[1].fd, 1);
  raw();
  for (;;) { say("press> "); poll(waited, 2, -1); answer(); }
}
