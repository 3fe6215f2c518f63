/* waits: secret. */
#include "truth.h"
int main(void) {
  no_echo(); int loop = epoll_create1(0); add(loop, 0, EPOLLIN);
  for (struct epoll_event ready;;) { char line[100]; say("Password: "); epoll_wait(loop, &ready, 1, -1); if (read(0, line, 100) <= 0) exit(0); }
}
