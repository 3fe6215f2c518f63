/* waits: key. It shows nothing at all. */
#include "truth.h"
int main(void) { raw(); for (;;) answer(); }
