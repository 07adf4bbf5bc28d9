#pragma once

#include "ClusterKernels.h"
#include "Extremes.h"
#include "FileSystem.h"
#include "References.h"
#include "ScaledNumbers.h"
#include "Sums.h"
#include "TextEnds.h"
#include "TextPairs.h"
#include "TextRanges.h"
#include "TextSearch.h"
#include "Threads.h"
