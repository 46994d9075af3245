/** Tools that change territories. Without --confirm they return a preview. */
import type { OptionValues } from 'commander';
import type { Layout } from '../layout.ts';
import { wrapText } from '../table.ts';
import { formatter, paragraphs, type FieldsOf, type Formatter, type Task } from './command.ts';
import { isRecord } from './json.ts';
import { toolCall, type ToolInput } from './tool-call.ts';

/** @param options including those of `changeOptions` */
export const changeCall = (
  name: string,
  input: ToolInput,
  { confirm, idempotencyKey }: OptionValues,
  format: Formatter,
): Task => toolCall(name, { ...input, confirm, idempotencyKey }, format);

interface ChangeTexts<Preview, Result> {
  /** Fields that the preview must have */
  previewFields: FieldsOf<Preview>;
  preview(preview: Preview, layout: Layout): string;
  /** Fields that the result must have */
  resultFields: FieldsOf<Result>;
  result(result: Result, layout: Layout): string;
}

/** Formats a preview or, once the change is confirmed, its result. */
export function changeFormatter<Preview extends object, Result extends object>(
  texts: ChangeTexts<Preview, Result>,
): Formatter {
  const formatPreview = formatter(texts.previewFields, texts.preview);
  const formatResult = formatter(texts.resultFields, texts.result);
  return (answer, layout) => {
    if (!isRecord(answer) || !isRecord(answer.preview)) return formatResult(answer, layout);
    const { refusal, ...changes } = answer.preview;
    return paragraphs(
      layout.paint('bold', 'Preview'),
      Object.keys(changes).length > 0 ? formatPreview(changes, layout) : '',
      refusal === undefined
        ? ''
        : wrapText(`This call would fail with --confirm. ${String(refusal)}`, layout.width).join(
            '\n',
          ),
    );
  };
}
