// whole_file.h - a file written in one go: it is there as a whole, or as it was before.
#pragma once
#include "thixis/base.h"

/// Writes the bytes beside the file and puts them in its place. @return TX_ERROR_FILE, with the reason in errno
tx_result tx_write_whole(const char *path, const void *bytes, size_t size);
