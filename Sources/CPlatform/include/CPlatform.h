#pragma once

#include "ClusterKernels.h"
#include "FileSystem.h"
#include "TextSearch.h"
