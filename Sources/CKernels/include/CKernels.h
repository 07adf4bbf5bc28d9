#pragma once

#include "ClusterKernels.h"
#include "CodePairs.h"
#include "Extremes.h"
#include "ScaledNumbers.h"
#include "Sums.h"
#include "TextEnds.h"
#include "TextPairs.h"
#include "TextRanges.h"
#include "TextSearch.h"
