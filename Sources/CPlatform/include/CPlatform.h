#pragma once

#include "ClusterKernels.h"
#include "FileSystem.h"
#include "ScaledNumbers.h"
#include "Sums.h"
#include "TextPairs.h"
#include "TextSearch.h"
