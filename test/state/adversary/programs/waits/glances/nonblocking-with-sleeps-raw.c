/* waits: key. */
#include "truth.h"
int main(void) {
  raw(); fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  for (char key;;) { say("press> "); while (read(0, &key, 1) < 0) usleep(10000); say("got it\r\n"); }
}
