/** Names the files, hooks, and tests that run when a run is ended from outside, so that a hang can be found in its output. */
import type { ReportedHookContext, Reporter, TestCase, TestModule } from 'vitest/node';
import { tellUnfinished } from './unfinished-line.ts';

export default class Unfinished implements Reporter {
  /** What runs, with the time of its start */
  readonly #running = new Map<string, number>();

  onInit(): void {
    process.once('SIGTERM', () => {
      for (const [name, since] of this.#running) tellUnfinished(name, Date.now() - since);
    });
  }

  /** A test that waits without a break reports nothing, so its file tells. */
  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#running.set(moduleId, Date.now());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.set(testName(test), Date.now());
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(testName(test));
  }

  onHookStart(hook: ReportedHookContext): void {
    this.#running.set(hookName(hook), Date.now());
  }

  onHookEnd(hook: ReportedHookContext): void {
    this.#running.delete(hookName(hook));
  }
}

const testName = ({ module, fullName }: TestCase) => `${module.moduleId} > ${fullName}`;

function hookName({ name, entity }: ReportedHookContext): string {
  if (entity.type === 'module') return `${name} of ${entity.moduleId}`;
  return `${name} of ${entity.module.moduleId} > ${entity.fullName}`;
}
