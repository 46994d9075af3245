/** Opens a URL in the person's browser. */
import { spawn } from 'node:child_process';

/** Commands that open a URL without a shell, which would interpret characters of the URL */
const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL. @param browser command to use instead of the system's @returns whether the command started */
export function openBrowser(url: string, browser: string | undefined): Promise<boolean> {
  const [command, ...words] = browser ? [browser] : (OPENERS[process.platform] ?? ['xdg-open']);
  return new Promise((resolve) => {
    const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
