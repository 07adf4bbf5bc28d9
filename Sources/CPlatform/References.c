#include "References.h"

// Of Swift's runtime.
extern void *swift_tryRetain(void *object);

void *platform_retain_living(void *object) {
  return swift_tryRetain(object);
}
