/** A library that ends its process when it is loaded, as one does that finds no graphics driver. */
process.stderr.write('terminate called: no EGL display\n');
process.abort();
