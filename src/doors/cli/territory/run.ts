/** Runs a command: calls the API and prints or saves the answer. */
import { writeFile } from 'node:fs/promises';
import type { OptionValues } from 'commander';
import { EXPORT_TYPES } from '../../../base/contract/export-formats.ts';
import {
  describeZipCounts,
  parseZipCounts,
  ZIP_COUNTS_HEADER,
  type ZipCounts,
} from '../../../base/contract/zip-counts.ts';
import { formatCount } from '../../../base/text/words.ts';
import { layoutOf, write, type OutStream } from '../layout.ts';
import { wrapLines } from '../table.ts';
import { callApi, type ApiCall } from './call.ts';
import type { Answer, Command, Given, Input, ProcessIo, Steps } from './command.ts';
import { COMMANDS, FORMATS } from './commands.ts';
import { declaredOf, requestOf, typeOf } from './declared.ts';
import { EXIT, Failure } from './failure.ts';
import { argumentReader, inputOf, readGiven, refuseNothing, VERSION } from './input.ts';
import { isRecord, parseJson } from './json.ts';
import { allPages } from './pages.ts';
import { formatRecord } from './record.ts';
import { serviceOf, withCredential } from './service.ts';
import { toolAnswer, toolsCall } from './tool-call.ts';

export interface CommonOptions {
  json?: boolean;
  output?: string;
  timeout: number;
  maxWait: number;
  /** False with --no-retry */
  retry: boolean;
}

/** Runs a command. @throws Failure */
export async function run(
  command: Command,
  operands: readonly (string | string[] | undefined)[],
  options: CommonOptions & OptionValues,
  io: ProcessIo,
): Promise<void> {
  const named = serviceOf(io.env);
  const readArgument = argumentReader(io.in);
  const given = await readGiven(command, operands, options, readArgument);
  const id = command.choose?.(given) || command.calls[0];
  const input = id && !command.perform ? inputOf(command, id, given) : given;
  if (command.edits) refuseNothing(command, given);
  const declared = declaredOf(id);
  const type = command.type ?? typeOf(declared, input);
  if (id && !command.perform) requestOf(id, input);
  const service = declared.needsKey ? await withCredential(named, io.env) : named;
  checkDestination(type, options, io.out);
  if (command.confirm && !options['confirm']) throw unconfirmed(command.confirm, given);
  const policy = {
    retry: options.retry,
    maxWaitSeconds: options.maxWait,
    timeoutSeconds: options.timeout,
  };
  const warn = (sentence: string) => io.err.write(warning(sentence, options.json));
  let zips: ZipCounts | null = null;
  const send = async (request: ApiCall) => {
    const { bytes, headers } = await withProgress(request, io.err, (shown) =>
      callApi(service, shown, policy, warn),
    );
    zips = parseZipCounts(headers.get(ZIP_COUNTS_HEADER) ?? '');
    return bytes;
  };
  const steps: Steps = {
    readArgument,
    print: (text) => write(io.out, text),
    callTool: async (name, arguments_) => toolAnswer(await send(toolsCall(name, arguments_))),
    async call(of, values, file) {
      const whole = await withVersion(of, values, steps);
      const request = { ...requestOf(of, whole), ...(file && { file, body: undefined }) };
      const bytes = await send(request);
      const isTool = declaredOf(of).path === undefined;
      return { ...(isTool ? toolAnswer(bytes) : { bytes, type: request.type }), of };
    },
  };
  const done = command.perform
    ? await command.perform(steps, given)
    : options['all']
      ? await allPages(steps, id!, input)
      : await steps.call(id!, input);
  const shown = { ...done, zips, ...(isPreview(done) && { failure: NOT_CONFIRMED }) };

  const { output } = options;
  if (output === undefined || shown.failure)
    await print(command, shown, given, { ...options, type }, io.out);
  else await save(command, shown, given, options, io.out);
  if (shown.failure) throw shown.failure;
}

/** @returns a line for standard error */
export const warning = (sentence: string, json = false) =>
  json ? `${JSON.stringify({ warning: sentence })}\n` : `territory: ${sentence}\n`;

const NOT_CONFIRMED = new Failure(
  EXIT.unconfirmed,
  'Nothing was changed. Add --confirm to make the change.',
);

const unconfirmed = (what: string, given: Given) =>
  new Failure(
    EXIT.unconfirmed,
    `Nothing was changed. ${fill(what, given)} To go on, add --confirm.`,
  );

/** Replaces `{plan}` with the operand. */
const fill = (text: string, given: Given) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name]));

/** Adds the version of the plan that an operation changes. @throws Failure */
async function withVersion(id: string, input: Input, { call }: Steps): Promise<Input> {
  if (!declaredOf(id).fields[VERSION]?.required || input[VERSION] !== undefined) return input;
  const { bytes } = await call('getPlan', { plan: input['plan'], totals: false });
  const { version } = (parseJson(bytes) ?? {}) as { version?: unknown };
  if (typeof version === 'number') return { ...input, version };
  throw new Failure(
    EXIT.other,
    'Could not read the plan: it has no version. Check that TERRITORY_URL is the address of the service.',
  );
}

const JSON_TYPE = 'application/json';

function isPreview({ bytes, type }: Answer): boolean {
  const answer = type === JSON_TYPE ? parseJson(bytes) : undefined;
  return isRecord(answer) && answer['status'] === 'preview';
}

/** Shows on a terminal how much of a file was sent, which is how much of it the service has read. */
async function withProgress<T>(
  call: ApiCall,
  err: OutStream,
  send: (call: ApiCall) => Promise<T>,
): Promise<T> {
  if (!call.file || !err.isTTY) return send(call);
  const { progressDisplay } = await import('../progress-bar.ts');
  const display = await progressDisplay(err as NodeJS.WriteStream);
  const onProgress = (sent: number, total = 0) => display.progress('Reading the file', sent, total);
  try {
    return await send({ ...call, file: { ...call.file, onProgress } });
  } finally {
    display.stop();
  }
}

async function print(
  command: Command,
  answer: Answer,
  given: Given,
  { json, type }: CommonOptions & { type: string },
  out: OutStream,
) {
  const { bytes, metadata = bytes } = answer;
  const text = json || isBinary(type) ? undefined : await textOf(command, answer, given, out);
  await write(out, text === undefined ? (json ? metadata : bytes) : `${text}\n`);
}

/** Returns the text of an answer for people; undefined if it consists only of bytes. */
async function textOf({ done }: Command, answer: Answer, given: Given, out: OutStream) {
  const { of = '', bytes, type, metadata = bytes, text } = answer;
  const layout = layoutOf(out);
  if (done) return fill(done, given);
  const format = FORMATS[of];
  const said = text === undefined ? '' : wrapLines(forTerminal(text), layout);
  if (!format && text !== undefined) return said;
  if (of === '' || (type !== JSON_TYPE && metadata === bytes)) return undefined;
  const parsed = parseJson(metadata);
  if (!isRecord(parsed)) throw unexpected('it is not a JSON object');
  const { answerProblems } = await import('./answer-problems.ts');
  const problems = answerProblems(of, parsed);
  if (problems !== '') throw unexpected(problems);
  return (format ?? formatRecord)(parsed, layout, said);
}

const unexpected = (why: string) =>
  new Failure(
    EXIT.other,
    `Could not read the response: ${why}. Check that TERRITORY_URL is the address of the service. ` +
      '--json prints the response unchanged.',
  );

/** Names commands and options in a tool's text instead of tools and fields, a whole command on its own line. */
const forTerminal = (text: string) =>
  text
    .replace(/\n+To make the change, call .*/, '')
    .replaceAll('confirm: true', '--confirm')
    .replaceAll(
      /(?: with|:)? (service_\w+) (?:and|with) (?:(\w+) )?([\w-]+)\.$/gm,
      (_, tool: string, field: string | undefined, value: string) => {
        const { name, names = {} } = commandOf(tool);
        return `:\n  ${name} ${field ? `--${names[field] ?? field} ` : ''}${value}`;
      },
    )
    .replaceAll(/service_\w+/g, (tool) => commandOf(tool).name);

function commandOf(tool: string): { name: string; names?: Command['names'] } {
  const all = Object.values(COMMANDS).flat();
  const command = all.find((one): one is Command => 'calls' in one && one.calls.includes(tool));
  if (!command) return { name: tool };
  return { name: `territory ${command.usage.split(/ [<[]/)[0]}`, names: command.names };
}

/** Nouns for documents and names for their files, by media type */
const DOCUMENTS: Readonly<Record<string, readonly [what: string, file: string]>> = {
  'application/pdf': ['PDF', 'exhibit.pdf'],
  [EXPORT_TYPES.xlsx]: ['workbook', 'territory.xlsx'],
  [EXPORT_TYPES.shp]: ['shapefile', 'territory.zip'],
};

const isBinary = (type: string) => type.startsWith('image/') || type in DOCUMENTS;

/** Refuses to print a picture or document on a terminal or as JSON, before the call. */
function checkDestination(type: string, { output, json }: CommonOptions, out: OutStream): void {
  if (output !== undefined || !isBinary(type)) return;
  if (out.isTTY || json) {
    const [what, file] = DOCUMENTS[type] ?? ['picture', 'map.png'];
    throw new Failure(
      EXIT.usage,
      `Name a file for the ${what}, such as -o ${file}, or pipe it to another command.`,
    );
  }
}

const WRITE_PROBLEMS: Record<string, string> = {
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'the folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOSPC: 'the disk is full',
};

/** Writes the file after the whole response has arrived, so that a failed call leaves it unchanged. */
async function save(
  command: Command,
  answer: Answer & { zips: ZipCounts | null },
  given: Given,
  { json, output }: CommonOptions,
  out: OutStream,
): Promise<void> {
  const file = output!;
  const { bytes, type, metadata, zips } = answer;
  await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
    const why = WRITE_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Failure(EXIT.other, `Could not write ${file}: ${why}.`, { cause: error });
  });
  if (json) {
    await write(
      out,
      metadata ?? `${JSON.stringify({ file, type, bytes: bytes.length, ...(zips && { zips }) })}\n`,
    );
    return;
  }
  const more = metadata
    ? await textOf(command, answer, given, out)
    : zips && describeZipCounts(zips);
  const saved = `${file}: ${formatCount(bytes.length)} bytes, ${type}`;
  await write(out, `${[saved, more].filter(Boolean).join('\n')}\n`);
}
