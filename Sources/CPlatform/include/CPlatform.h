#pragma once

#ifndef __linux__
#error "ObjectStore is for Linux: it uses calls of that system that others lack"
#endif

#include "ClusterKernels.h"
#include "CodePairs.h"
#include "Extremes.h"
#include "FileSystem.h"
#include "ScaledNumbers.h"
#include "Sums.h"
#include "TextEnds.h"
#include "TextPairs.h"
#include "TextRanges.h"
#include "TextSearch.h"
#include "Threads.h"
