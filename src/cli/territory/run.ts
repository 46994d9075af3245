/** Runs a command: calls the API and prints or saves the response. */
import { writeFile } from 'node:fs/promises';
import type { OptionValues } from 'commander';
import { formatCount } from '../../text/words.ts';
import { layoutOf, write, type OutStream } from '../layout.ts';
import type { ProcessIo } from './process-io.ts';
import { wrapText } from '../table.ts';
import { callApi, type ApiCall } from './call.ts';
import type { Answer, CallService, Command, Task } from './command.ts';
import type { CommonOptions } from './common-options.ts';
import { EXIT, Failure } from './failure.ts';
import { parseJson } from './json.ts';
import { argumentReader } from './read-argument.ts';
import { serviceOf, withCredential } from './service.ts';
import {
  describeZipCounts,
  parseZipCounts,
  ZIP_COUNTS_HEADER,
  type ZipCounts,
} from '../../contract/zip-counts.ts';
import { EXPORT_TYPES } from '../../contract/export-formats.ts';

/** Runs a command. @throws Failure */
export async function run(
  command: Command,
  operands: string[],
  options: CommonOptions & OptionValues,
  io: ProcessIo,
): Promise<void> {
  const named = serviceOf(io.env);
  const task = await command.call(operands, options, argumentReader(io.in));
  const service = task.needsKey ? await withCredential(named, io.env) : named;
  checkDestination(task, options, io.out);
  const policy = {
    retry: options.retry,
    maxWaitSeconds: options.maxWait,
    timeoutSeconds: options.timeout,
  };
  const warn = (sentence: string) =>
    io.err.write(
      options.json ? `${JSON.stringify({ warning: sentence })}\n` : `territory: ${sentence}\n`,
    );
  let zips: ZipCounts | null = null;
  const callService: CallService = async (call) => {
    const { bytes, headers } = await withProgress(call, io.err, (shown) =>
      callApi(service, shown, policy, warn),
    );
    zips = parseZipCounts(headers.get(ZIP_COUNTS_HEADER) ?? '');
    return bytes;
  };
  const answer = {
    ...(await task.perform(callService, (text) => write(io.out, text))),
    zips,
  };

  const { output } = options;
  if (output === undefined || answer.failure) await print(answer, task, options, io.out);
  else await save(answer, task, output, options, io.out);
  if (answer.failure) throw answer.failure;
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

async function print(answer: Answer, task: Task, { json }: CommonOptions, out: OutStream) {
  const text = json || isBinary(task) ? undefined : await formatAnswer(answer, task, out);
  const { bytes, metadata = bytes } = answer;
  await write(out, text === undefined ? (json ? metadata : bytes) : `${text}\n`);
}

/** Formats an answer; undefined if it consists only of bytes. */
async function formatAnswer({ bytes, metadata, text }: Answer, { format }: Task, out: OutStream) {
  const layout = layoutOf(out);
  if (format) return format(parseJson(metadata ?? bytes), layout);
  return text
    ?.split('\n')
    .flatMap((line) => wrapText(line, layout.width))
    .join('\n');
}

/** Nouns for documents and names for their files, by media type */
const DOCUMENTS: Readonly<Record<string, readonly [what: string, file: string]>> = {
  'application/pdf': ['PDF', 'exhibit.pdf'],
  [EXPORT_TYPES.xlsx]: ['workbook', 'territory.xlsx'],
  [EXPORT_TYPES.shp]: ['shapefile', 'territory.zip'],
};

const isBinary = ({ type }: Task) => type.startsWith('image/') || type in DOCUMENTS;

/** Refuses to print a picture or document on a terminal or as JSON, before the call. */
function checkDestination(task: Task, { output, json }: CommonOptions, out: OutStream): void {
  if (output !== undefined || !isBinary(task)) return;
  if (out.isTTY || json) {
    const [what, file] = DOCUMENTS[task.type] ?? ['picture', 'map.png'];
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
  answer: Answer & { zips: ZipCounts | null },
  task: Task,
  file: string,
  { json }: CommonOptions,
  out: OutStream,
): Promise<void> {
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
  const more = metadata ? await formatAnswer(answer, task, out) : zips && describeZipCounts(zips);
  const saved = `${file}: ${formatCount(bytes.length)} bytes, ${type}`;
  await write(out, `${[saved, more].filter(Boolean).join('\n')}\n`);
}
