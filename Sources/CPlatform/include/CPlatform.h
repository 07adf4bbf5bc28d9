#pragma once

#include "ClusterKernels.h"
