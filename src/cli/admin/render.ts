/** `territory-admin render` */
import { Option, type Command } from 'commander';
import { ENGINES, type Engine } from '../../render/renderer.ts';
import { STYLE_NAMES } from '../../basemap/styles.ts';
import { jsonOption, withConfig, withDatabase, withRenderer } from './command.ts';
import { addPictureOptions, parsePadding } from './picture-options.ts';
import { addStyleFileOptions, renderStyleFile, type StyleFileFlags } from './render-style-file.ts';
import { parseZips, renderZips, type ZipFlags } from './render-zips.ts';

export function addRenderCommand(program: Command): void {
  const command = program
    .command('render')
    .description('draw ZIPs over the basemap: a market by its scores, or a territory by its status')
    .addOption(
      new Option('--metro <slug>', 'a launched metro, e.g. dallas-tx').conflicts([
        'state',
        'nation',
        'zips',
      ]),
    )
    .addOption(new Option('--state <code>', 'e.g. TX').conflicts(['nation', 'zips']))
    .addOption(new Option('--nation', 'the contiguous states').conflicts('zips'))
    .option('--zips <list>', 'ZIPs between commas, e.g. 75201,75204', parseZips)
    .option('--vertical <slug>', 'colour by its scores, e.g. roofing; without it, one colour')
    .option('--live <list>', 'ZIPs to colour as live', parseZips)
    .option('--pending <list>', 'ZIPs to colour as waiting for review', parseZips)
    .option('--removed <list>', 'ZIPs to colour as removed', parseZips)
    .addOption(new Option('--style <name>', 'basemap').choices([...STYLE_NAMES]).default('light'))
    .option('--title <text>', 'in place of the map’s own; "" for none')
    .option('--no-labels', 'without names')
    .option('--no-legend', 'without a legend')
    .option('--transparent', 'the territory alone, over nothing')
    .option('--padding <px>', 'air around the territory, in CSS pixels', parsePadding);
  addPictureOptions(addStyleFileOptions(command))
    .addOption(
      new Option('--engine <name>', 'who draws, in place of RENDER_ENGINE').choices([
        'auto',
        ...ENGINES,
      ]),
    )
    .addOption(jsonOption())
    .action((flags: ZipFlags & StyleFileFlags & { engine?: Engine | 'auto' }) =>
      flags.styleFile === undefined
        ? withDatabase((db, config) =>
            withRenderer(config, flags.engine, (by) => renderZips(db, by, flags, command)),
          )
        : withConfig((config) =>
            withRenderer(config, flags.engine, (by) =>
              renderStyleFile(by, flags.styleFile!, flags, command),
            ),
          ),
    );
}
