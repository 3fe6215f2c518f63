/* works: it reads another terminal than ours, whose master it holds itself. */
#include "truth.h"
int main(void) {
  int master, slave; char text; openpty(&master, &slave, 0, 0, 0); say("busy> ");
  if (fork() == 0) for (;;) { usleep(WORK_US); write(master, "x\n", 2); }
  dup2(slave, 0);
  while (read(0, &text, 1) > 0) done();
}
