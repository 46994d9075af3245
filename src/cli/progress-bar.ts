/** Shows progress on standard error: a bar on a terminal, a line a stage elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../ingest/progress.ts';

export interface ProgressDisplay {
  progress: Progress;
  /** Leaves the terminal clean for what follows */
  stop(): void;
}

export function progressDisplay(out: NodeJS.WriteStream = process.stderr): ProgressDisplay {
  return out.isTTY ? bar(out) : lines(out);
}

function bar(out: NodeJS.WriteStream): ProgressDisplay {
  const display = new SingleBar(
    {
      stream: out,
      format: '{bar} {percent} {stage}',
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      formatValue: (value, _options, type) =>
        type === 'percentage' ? (value > 0 ? `${value}%`.padStart(4) : '   …') : String(value),
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    progress: (stage, done, total) => {
      if (!started) display.start(total || 1, done, { stage });
      started = true;
      display.setTotal(total || 1);
      display.update(total ? done : 0, { stage });
    },
    stop: () => {
      if (started) display.stop();
    },
  };
}

function lines(out: NodeJS.WriteStream): ProgressDisplay {
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
