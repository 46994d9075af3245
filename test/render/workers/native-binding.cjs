/**
 * Stand-in for `@maplibre/maplibre-gl-native`, which cannot be installed everywhere. It has the
 * documented interface and checks, but draws no map: it follows instructions in the style's metadata.
 */
const { EventEmitter } = require('node:events');
module.exports = new EventEmitter();

let created = 0;
let released = 0;

module.exports.Map = class {
  constructor({ request, ratio }) {
    if (typeof request !== 'function')
      throw new Error("Options object must have a 'request' method");
    if (typeof ratio !== 'number')
      throw new Error("Options object 'ratio' property must be a number");
    Object.assign(this, { request, ratio, busy: false, released: false });
    created++;
  }

  load(style) {
    this.assertNotReleased();
    this.style = JSON.parse(JSON.stringify(style));
    // As the library does, it leaves out what it can't parse, and says so only in its log.
    for (const text of style.metadata?.logs ?? []) {
      const message = { class: 'ParseStyle', severity: 'WARNING', text };
      setImmediate(() => module.exports.emit('message', message));
    }
  }

  render(options, callback) {
    this.assertNotReleased();
    if (!this.style) throw new TypeError('Style is not loaded');
    if (this.busy) throw new Error('Map is currently processing a RenderRequest');
    this.busy = true;
    setImmediate(async () => {
      const [error, pixels] = await this.perform(options).then(
        (result) => [undefined, result],
        (failure) => [failure, undefined],
      );
      this.busy = false;
      callback(error, pixels);
    });
  }

  release() {
    this.assertNotReleased();
    this.released = true;
    released++;
  }

  assertNotReleased() {
    if (this.released) throw new Error('Map resources have already been released');
  }

  async perform(options) {
    const { style, ratio } = this;
    const { does = 'paint', color = [255, 255, 255, 255], fetches = [] } = style.metadata ?? {};
    if (does === 'abort') {
      process.stderr.write('terminate called after throwing an instance of std::exception\n');
      process.abort();
    }
    if (does === 'hang') await new Promise(() => {});
    if (does === 'fail') throw new Error('the map failed');
    // Reports its input to the test, which runs in another process.
    if (does === 'report') {
      throw new Error(JSON.stringify({ style, options, ratio, created, released }));
    }
    const width = Math.trunc(Math.fround(options.width * ratio));
    const height = Math.trunc(Math.fround(options.height * ratio));
    const pixels = Buffer.alloc(4 * width * height, Buffer.from(color));
    for (const [row, address] of fetches.entries()) {
      const bytes = await this.fetch(address);
      // Paints the bytes as a row of opaque reds.
      for (const [i, byte] of bytes.entries()) pixels.set([byte, 0, 0, 255], 4 * (row * width + i));
    }
    return pixels;
  }

  /** Waits forever after an error, as the real library may. */
  fetch(address) {
    const template = address.glyphs
      ? this.style.glyphs.replace('{fontstack}', encodeURIComponent(address.glyphs))
      : (address.url ?? this.style.sources[address.tile].tiles[0]);
    const url = template.replace('{range}', '0-255').replace('{z}/{x}/{y}', address.at);
    return new Promise((resolve) => {
      let answered = false;
      this.request({ url, kind: 0 }, (...answer) => {
        if (answered) throw new Error('answered twice');
        answered = true;
        if (answer.length === 0) resolve([]);
        else if (answer[0] === null) {
          if (!ArrayBuffer.isView(answer[1].data)) throw new TypeError('data must be a Buffer');
          resolve(answer[1].data);
        } else if (typeof answer[0].message !== 'string') throw new TypeError('no error message');
      });
    });
  }
};
