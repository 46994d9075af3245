/** Calls of tools that change territories. Without --confirm, these return a preview. */
import type { OptionValues } from 'commander';
import { wrapText } from '../table.ts';
import { paragraphs, type Formatter, type Task } from './command.ts';
import { isRecord } from './json.ts';
import { toolCall, type ToolInput } from './tool-call.ts';

/** @param options options that include `changeOptions` */
export const changeCall = (
  name: string,
  input: ToolInput,
  { confirm, idempotencyKey }: OptionValues,
  format: Formatter,
): Task => toolCall(name, { ...input, confirm, idempotencyKey }, format);

/** Formats a preview or, once the change is confirmed, its result. */
export const changeFormatter =
  (formatPreview: Formatter, formatResult: Formatter): Formatter =>
  async (answer, layout) => {
    if (!isRecord(answer) || !isRecord(answer.preview)) return formatResult(answer, layout);
    const { refusal, ...changes } = answer.preview;
    return paragraphs(
      layout.paint('bold', 'Preview'),
      Object.keys(changes).length > 0 ? await formatPreview(changes, layout) : '',
      refusal === undefined
        ? ''
        : wrapText(`This call would fail with --confirm. ${String(refusal)}`, layout.width).join(
            '\n',
          ),
    );
  };
