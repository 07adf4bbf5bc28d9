#pragma once
// References to Swift objects that are not counted.

/// Counts a reference to a Swift object, unless its last one is gone and it is being taken apart: then NULL. A weak
/// reference does the same, and has every counting of the object, by whomever, go the slow way from then on.
///
/// The object's memory must be there still. So whoever keeps the address does it under a lock, and the object takes it
/// away in its `deinit`, under that lock.
void *platform_retain_living(void *object);
