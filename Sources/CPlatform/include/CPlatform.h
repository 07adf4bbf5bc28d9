#pragma once

#include "ClusterKernels.h"
#include "Extremes.h"
#include "FileSystem.h"
#include "Sums.h"
#include "TextPairs.h"
#include "TextSearch.h"
