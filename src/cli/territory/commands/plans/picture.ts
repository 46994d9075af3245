/** Options of commands that draw pictures of plans. */
import { Option, type OptionValues } from 'commander';
import { path, type ApiCall } from '../../call.ts';
import { plainCall, type Task } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';

export const PNG_TYPE = 'image/png';

/** @param what start of the description, such as `draw the difference` */
export const pictureFlags = (what: string): Option[] => [
  new Option('--picture', `${what}, as PNG`),
  new Option('--size <size>', 'width and height of the picture (default: 1200x630)'),
  new Option('--ratio <ratio>', 'device pixels per CSS pixel, 1 or 2'),
  new Option('--style <style>', 'light, dark, or muted'),
];

const FLAGS = ['size', 'ratio', 'style'] as const;

/** @param other plan to compare with, or `live`. Default: no comparison */
export const pictureRequest = (plan: string, options: OptionValues, other?: string): ApiCall => {
  const { size, ratio, style } = options;
  const query = { size, ratio, style, with: other };
  return { path: path`/agent/plans/${plan}/map.png`, query, type: PNG_TYPE };
};

export const pictureCall = (plan: string, options: OptionValues, other?: string): Task =>
  plainCall(pictureRequest(plan, options, other));

/** @throws Failure if the options include picture options without --picture */
export function refusePictureFlags(options: OptionValues, instead?: string): void {
  const given = [...FLAGS, 'picture'].find((flag) => options[flag] !== undefined);
  if (given === undefined) return;
  throw new Failure(
    EXIT.usage,
    instead ?? `--${given} has no effect without --picture. Add it, or leave out --${given}.`,
  );
}
