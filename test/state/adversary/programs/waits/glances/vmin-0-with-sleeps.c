/* waits: key. Its reads never wait (VMIN 0, VTIME 0); it sleeps between them. */
#include "truth.h"
int main(void) {
  set_mode(ICANON | ECHO, 0, 0);
  for (char key;;) { say("press> "); while (read(0, &key, 1) == 0) usleep(50000); say("got it\r\n"); }
}
