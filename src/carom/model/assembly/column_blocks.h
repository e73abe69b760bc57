// The blocks of a force derivative: every run of velocities of one frame with every run of another.
#pragma once

#include "carom/model/assembly/frames.h"

namespace carom::model {

// call(segment of rows, its first column in `rows`, segment of columns, its first column in `columns`)
template <class Call>
void each_block(const FrameColumns& rows, const FrameColumns& columns, Call call) {
  Index row = 0;
  for (const FrameColumns::Segment& si : rows.segments) {
    Index column = 0;
    for (const FrameColumns::Segment& sj : columns.segments) {
      call(si, row, sj, column);
      column += sj.size;
    }
    row += si.size;
  }
}

}  // namespace carom::model
