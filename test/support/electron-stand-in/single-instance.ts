import { mkdtempSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../is-running.ts';

const lockName = 'stand-in-instance';
const noticePrefix = 'stand-in-second-';

/**
 * Takes the single-instance lock of `folder`; if another process has it, sends that one our argv and working folder.
 *
 * @param onSecond called in the process that has the lock, with the argv and working folder of one that also asked for it.
 * @returns whether this process has the lock; false, too, if that folder or the temporary folder can't be written, as in Electron.
 */
export function takeSingleInstanceLock(folder: string, onSecond: (argv: string[], workingFolder: string) => void): boolean {
  const lock = join(folder, lockName);
  try {
    // Chromium has its socket there.
    rmdirSync(mkdtempSync(join(tmpdir(), 'stand-in-')));
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    if (isRunning(Number(readFileSync(lock, 'utf8')))) {
      const notice = join(folder, `${noticePrefix}${process.pid}`);
      writeFileSync(`${notice}.new`, JSON.stringify({ argv: process.argv, workingFolder: process.cwd() }));
      renameSync(`${notice}.new`, notice);
      return false;
    }
    writeFileSync(lock, String(process.pid));
  }
  watch(folder, { persistent: false }, () => readNotices(folder, onSecond));
  process.once('exit', () => rmSync(lock, { force: true }));
  return true;
}

function readNotices(folder: string, onSecond: (argv: string[], workingFolder: string) => void): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(noticePrefix) || name.endsWith('.new')) continue;
    const { argv, workingFolder } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    rmSync(join(folder, name));
    onSecond(argv, workingFolder);
  }
}
