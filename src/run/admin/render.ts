/** `territory-admin render` */
import { Option, type Command } from 'commander';
import { ENGINES, type Engine } from '../../render/renderer.ts';
import { CLASS_METHODS } from '../../maps/cartography/classes.ts';
import { COMPOSITION_NAMES } from '../../maps/cartography/compositions.ts';
import { BASEMAPS } from '../../maps/cartography/picture-options.ts';
import { STYLE_NAMES } from '../../data/basemap/styles.ts';
import { ZIP_LABEL_CONTENTS } from '../../maps/cartography/zip-labels.ts';
import { withConfig, withDatabase, withRenderer } from './command.ts';
import { addPictureOptions, parsePadding } from './picture-options.ts';
import { addStyleFileOptions, renderStyleFile, type StyleFileFlags } from './render-style-file.ts';
import { splitZips } from '../../doors/cli/arguments.ts';
import { renderZips, type ZipFlags } from './render-zips.ts';

export function defineRender(command: Command): void {
  command
    .addOption(
      new Option('--metro <slug>', 'launched metro, e.g. dallas-tx').conflicts([
        'state',
        'nation',
        'zips',
      ]),
    )
    .addOption(new Option('--state <code>', 'state, e.g. TX').conflicts(['nation', 'zips']))
    .addOption(new Option('--nation', 'the United States, in Albers’ projection').conflicts('zips'))
    .option('--zips <list>', 'ZIP codes, separated by commas', splitZips)
    .option('--vertical <slug>', 'color by score, e.g. roofing (default: one color)')
    .addOption(
      new Option(
        '--classes <method>',
        'method that divides scores into classes (default: national)',
      ).choices([...CLASS_METHODS]),
    )
    .option('--live <list>', 'ZIP codes to color as live', splitZips)
    .option('--pending <list>', 'ZIP codes to color as pending', splitZips)
    .option('--removed <list>', 'ZIP codes to color as removed', splitZips)
    .option('--shared <list>', 'ZIP codes above that another brand holds too', splitZips)
    .option('--isolated <list>', 'ZIP codes above without a neighbor among them', splitZips)
    .addOption(new Option('--style <name>', 'basemap').choices([...STYLE_NAMES]).default('light'))
    .option('--title <text>', 'title above the map; "" for none')
    .option('--no-labels', 'without place names')
    .addOption(
      new Option(
        '--zip-labels <content>',
        'labels of ZIP codes (default: zip; both for one ZIP code)',
      ).choices([...ZIP_LABEL_CONTENTS]),
    )
    .option('--no-insets', 'without enlarged maps of parts that are too dense for labels')
    .option('--no-legend', 'without a legend')
    .addOption(
      new Option(
        '--composition <name>',
        'size and layout for a medium, such as social or print',
      ).choices([...COMPOSITION_NAMES]),
    )
    .option('--scale-bar', 'with a scale bar in miles and kilometers')
    .option('--transparent', 'without a basemap, on a transparent background')
    .addOption(
      new Option(
        '--underlay <file>',
        'PMTiles or MBTiles file with imagery to draw under the ZIP codes',
      ).conflicts(['transparent', 'styleFile']),
    )
    .addOption(
      new Option(
        '--basemap <name>',
        'plain, or streets where BASEMAP_TILES has them (default: streets)',
      ).choices([...BASEMAPS]),
    )
    .option('--padding <px>', 'margin around the ZIP codes, in CSS pixels', parsePadding);
  addPictureOptions(addStyleFileOptions(command))
    .addOption(
      new Option('--engine <name>', 'render engine, overrides RENDER_ENGINE').choices([
        'auto',
        ...ENGINES,
      ]),
    )
    .action((flags: ZipFlags & StyleFileFlags & { engine?: Engine | 'auto' }) =>
      flags.styleFile === undefined
        ? withDatabase((db, config) =>
            withRenderer(config, flags.engine, (renderer) =>
              renderZips(db, config, renderer, flags, command),
            ),
          )
        : withConfig((config) =>
            withRenderer(config, flags.engine, (renderer) =>
              renderStyleFile(renderer, flags.styleFile!, flags, command),
            ),
          ),
    );
}
