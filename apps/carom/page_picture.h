// A picture of a page: its scene at one time, or the page as it opens, drawn by a browser without a window.
#pragma once

#include <string>

namespace carom::cli {

struct PictureRequest {
  std::string page;      // an HTML file of ours
  std::string fragment;  // "scene&t=0.0873": what of it (viewer/src/address.ts)
  std::string out;       // PNG
  int width = 1200, height = 800;
};

// InputError E0111 if no browser is found; std::system_error if it makes no picture.
void draw_page(const PictureRequest& request);

}  // namespace carom::cli
