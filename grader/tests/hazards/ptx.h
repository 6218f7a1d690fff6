// PTX instructions as functions, one instruction each: nothing is added to what the name says.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "ptx-async-copy.h"
#include "ptx-barrier.h"
#include "ptx-bulk-copy.h"
#include "ptx-fence.h"
