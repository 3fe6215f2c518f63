/* works: it polls the terminal and a POSIX message queue. */
#include "truth.h"
static mqd_t queue;
static void feed(void) { usleep(WORK_US); mq_send(queue, "x", 1, 0); }
int main(void) {
  char name[40]; sprintf(name, "/repartee-%d", getpid());
  struct mq_attr kind = {.mq_maxmsg = 1, .mq_msgsize = 8};
  queue = mq_open(name, O_RDWR | O_CREAT, 0600, &kind); mq_unlink(name);
  daemon_apart(feed); raw(); say("busy> ");
  struct pollfd waited[] = {{.fd = 0, .events = POLLIN}, {.fd = queue, .events = POLLIN}};
  for (char text[8];;) {
    poll(waited, 2, -1);
    if (waited[0].revents && read(0, text, 1) <= 0) exit(0);
    if (waited[1].revents) { mq_receive(queue, text, 8, 0); done(); }
  }
}
