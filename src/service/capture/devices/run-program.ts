import { execFile } from 'node:child_process';

/** A program that doesn't answer within this is of no use. */
const timeoutMs = 3_000;

/** What a program prints; nothing if it isn't there or fails. `from`: ffmpeg lists some devices on stderr. */
export function runProgram(path: string, args: readonly string[], from: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      windowsHide: true,
      maxBuffer: 4 * 1024 * 1024,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    };
    execFile(path, args, options, (error, stdout, stderr) => {
      // The lists on stderr end with an error: there is nothing to open.
      resolve(from === 'stderr' ? stderr : error ? '' : stdout);
    });
  });
}
