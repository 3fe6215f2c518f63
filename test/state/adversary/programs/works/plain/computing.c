/* works: it computes. */
#include "truth.h"
int main(void) { say("busy> "); for (volatile long at = 0;; at++); }
