// The fragments of wmma, of each type and shape. PTX leaves their layout open ("wmma.load"); this
// is Hopper's, which programs that look at single elements know. It is the same for every layout in
// memory and for every stride.
#pragma once

#include "emulator/isa/matrix/forms.h"
#include "emulator/isa/matrix/fragments.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

// `type`: of A and B.
Fragments wmma_fragments(tensor::Element type, const MatrixShape& shape);

// The registers that a program names for a fragment of A or B with so many cells. Of f16 there are
// always eight, whatever the shape: those beyond the cells are loaded with copies of the first
// ones, and not looked at.
unsigned wmma_factor_registers(tensor::Element type, unsigned cells);

}  // namespace tmaemu
