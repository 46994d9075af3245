/** A worker that performs test tasks, in a thread or in a process. */
import { threadId } from 'node:worker_threads';
import * as refusals from '../../../dist/render/errors.js';
import { serveJobs } from '../../../dist/base/workers/serve.js';

// `signals` are integers that jobs in several threads share to synchronize.
serveJobs(async ({ task, value, signals, at = 0 }, ask) => {
  switch (task) {
    case 'echo':
      return value;
    case 'who':
      return `${process.pid}/${threadId}`;
    case 'order':
      return Atomics.add(signals, at, 1);
    case 'meet':
      // Returns once `value` jobs run at the same time.
      Atomics.add(signals, at, 1);
      while (Atomics.load(signals, at) < value) Atomics.wait(signals, at + 1, 0, 5);
      return value;
    case 'wait':
      Atomics.add(signals, at, 1);
      while (Atomics.load(signals, at + 1) === 0) await new Promise((r) => setTimeout(r, 2));
      return value;
    case 'hang':
      for (;;);
    case 'silence':
      return new Promise(() => {});
    case 'hoard':
      for (const hoard = []; ;) hoard.push(Array.from({ length: 1000 }, Math.random));
    case 'die':
      process.kill(process.pid, 'SIGKILL');
      return;
    case 'exit':
      // Until `value` workers have died
      if (Atomics.add(signals, at, 1) < value) process.exit(3);
      return 'survived';
    case 'answer, then exit':
      process.once('exit', () => Atomics.store(signals, at, 1));
      setTimeout(() => process.exit(3), 20);
      return value;
    case 'throw':
      throw new TypeError('the worker failed');
    case 'refuse':
      throw new refusals.InvalidSceneError(['the first problem', 'the second']);
    case 'unsupported':
      throw new refusals.UnsupportedStyleError([
        { property: 'layers[2].paint.fill-pattern', reason: 'is refused' },
      ]);
    case 'fail, then ask':
      setTimeout(() => ask(value).catch(() => Atomics.store(signals, at, 1)), 20);
      throw new refusals.InvalidSceneError(['the first problem']);
    case 'ask':
      return `asked: ${await ask(value)}`;
  }
}, refusals);
