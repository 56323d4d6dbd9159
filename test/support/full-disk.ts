import { execFileSync } from 'node:child_process';

/**
 * Stops files of this process from growing, as on a full disk, until it is disposed: every write to one fails (EFBIG).
 * Node ignores SIGXFSZ; sockets and pipes are not affected (setrlimit(2)).
 */
export function fillDisk(): Disposable {
  const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  limit('0');
  return { [Symbol.dispose]: () => void limit('unlimited') };
}
