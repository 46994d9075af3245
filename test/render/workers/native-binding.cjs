/**
 * Stands in for `@maplibre/maplibre-gl-native` where that cannot be installed: its documented
 * interface with the same insistence on how it is used. It draws no map: what a style's metadata
 * says is what happens.
 */
let made = 0;
let released = 0;

exports.Map = class {
  constructor({ request, ratio }) {
    if (typeof request !== 'function')
      throw new Error("Options object must have a 'request' method");
    if (typeof ratio !== 'number')
      throw new Error("Options object 'ratio' property must be a number");
    Object.assign(this, { request, ratio, busy: false, released: false });
    made++;
  }

  load(style) {
    this.insist();
    this.style = JSON.parse(JSON.stringify(style));
  }

  render(options, callback) {
    this.insist();
    if (!this.style) throw new TypeError('Style is not loaded');
    if (this.busy) throw new Error('Map is currently processing a RenderRequest');
    this.busy = true;
    setImmediate(async () => {
      const [error, pixels] = await this.perform(options).then(
        (drawn) => [undefined, drawn],
        (failure) => [failure, undefined],
      );
      this.busy = false;
      callback(error, pixels);
    });
  }

  release() {
    this.insist();
    this.released = true;
    released++;
  }

  insist() {
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
    // The only way to tell the test what has arrived here.
    if (does === 'tell') throw new Error(JSON.stringify({ style, options, ratio, made, released }));
    const width = Math.trunc(Math.fround(options.width * ratio));
    const height = Math.trunc(Math.fround(options.height * ratio));
    const pixels = Buffer.alloc(4 * width * height, Buffer.from(color));
    for (const [row, address] of fetches.entries()) {
      const bytes = await this.fetch(address);
      // The bytes as a row of opaque reds
      for (const [i, byte] of bytes.entries()) pixels.set([byte, 0, 0, 255], 4 * (row * width + i));
    }
    return pixels;
  }

  /** After an error it waits for ever, as the real one may. */
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
