/** Shows progress on standard error: a bar on a terminal, one line per stage elsewhere. */
import type { Progress } from '../../data/ingest/progress.ts';

interface ProgressDisplay {
  progress: Progress;
  /** Clears the bar. */
  stop(): void;
}

export async function progressDisplay(
  out: NodeJS.WriteStream = process.stderr,
): Promise<ProgressDisplay> {
  return out.isTTY ? await showBar(out) : showLines(out);
}

const BAR_CELLS = 24;

/** Example: `━━━━━━━━━━━━────────────   50%  Storing boundaries  3 s`; dots if the total is unknown */
function barText(share: number | null, stage: string, seconds: number): string {
  const filled = Math.round((share ?? 0) * BAR_CELLS);
  const cells =
    share === null ? '·'.repeat(BAR_CELLS) : '━'.repeat(filled) + '─'.repeat(BAR_CELLS - filled);
  const percent = share === null ? '    ' : `${Math.floor(share * 100)}%`.padStart(4);
  return `${cells} ${percent}  ${stage}  ${seconds} s`;
}

async function showBar(out: NodeJS.WriteStream): Promise<ProgressDisplay> {
  const { SingleBar } = await import('cli-progress');
  const startedAt = Date.now();
  const display = new SingleBar({
    stream: out,
    hideCursor: true,
    clearOnComplete: true,
    format: (_options, { value, total }, { stage }: { stage: string }) =>
      barText(
        total > 0 ? Math.min(value / total, 1) : null,
        stage,
        Math.round((Date.now() - startedAt) / 1000),
      ),
  });
  let started = false;
  return {
    progress: (stage, done, total) => {
      if (!started) display.start(total, done, { stage });
      started = true;
      display.setTotal(total);
      display.update(done, { stage });
    },
    stop: () => {
      if (started) display.stop();
    },
  };
}

function showLines(out: NodeJS.WriteStream): ProgressDisplay {
  let last = '';
  return {
    progress: (stage) => {
      if (stage === last) return;
      last = stage;
      out.write(`${stage} …\n`);
    },
    stop: () => {},
  };
}
