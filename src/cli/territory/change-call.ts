/** Calls that change something: done once they are confirmed, shown beforehand until then. */
import type { OptionValues } from 'commander';
import { z } from 'zod';
import type { Paper } from '../paper.ts';
import { wrapped } from '../table.ts';
import { paragraphs, reading, type Reading, type Task } from './command.ts';
import { toolCall, type ToolInput } from './tool-call.ts';

/** @param options with those of `changeOptions` */
export const changeCall = (
  name: string,
  input: ToolInput,
  { confirm, idempotencyKey }: OptionValues,
  text: Reading,
): Task => toolCall(name, { ...input, confirm, idempotencyKey }, text);

/** Where something stands in the way of the change, it is told; that may be all. */
const Preview = z.looseObject({ refusal: z.string().optional() });
const Unconfirmed = z.object({ preview: Preview });

/** How a change reads, and how its preview does. */
export function changeReading<Change extends z.ZodType, Done extends z.ZodType>(
  { preview, done }: { preview: Change; done: Done },
  texts: {
    preview(change: z.output<Change>, paper: Paper): string;
    done(change: z.output<Done>, paper: Paper): string;
  },
): Reading {
  const readPreview = reading(preview, texts.preview);
  const readDone = reading(done, texts.done);
  return (answer, paper) => {
    const unconfirmed = Unconfirmed.safeParse(answer).data;
    if (!unconfirmed) return readDone(answer, paper);
    const { refusal, ...changes } = unconfirmed.preview;
    return paragraphs(
      paper.paint('bold', 'Preview'),
      Object.keys(changes).length > 0 ? readPreview(changes, paper) : '',
      refusal === undefined
        ? ''
        : wrapped(`With --confirm it would be refused. ${refusal}`, paper.width).join('\n'),
    );
  };
}
