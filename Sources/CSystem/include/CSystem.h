#pragma once

#ifndef __linux__
#error "ObjectStore is for Linux: it uses calls of that system that others lack"
#endif

#include "FileSystem.h"
#include "Memory.h"
#include "Threads.h"
