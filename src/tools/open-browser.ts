import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDesktop } from './desktop.ts';

/**
 * Opens the system's browser at `url`, if there is a desktop.
 *
 * The URL contains a token, and every user can read the arguments of processes. So the browser gets a file that only this user can
 * read, which redirects to the URL.
 *
 * @returns a function that removes the file; undefined if no browser was opened
 */
export function openBrowser(url: string): (() => void) | undefined {
  if (!hasDesktop() || isConfined()) return undefined;
  let folder: string | undefined;
  const remove = () => folder && rmSync(folder, { recursive: true, force: true });
  try {
    folder = mkdtempSync(join(tmpdir(), 'tallylight-open-'));
    const page = join(folder, 'tallylight.html');
    writeFileSync(page, `<!doctype html><title>Tallylight</title><meta http-equiv="refresh" content="0; url=${url}">\n`, {
      mode: 0o600,
    });
    const [program, ...args] = opener(page);
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The disk may be full, or the system refuse the program. The address is on the terminal, too.
    remove();
    return undefined;
  }
  return remove;
}

function opener(page: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', page];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', page];
  return ['xdg-open', page];
}

/** Whether the browser is a snap, which cannot read files in /tmp. Its desktop entry is named `<snap>_<app>.desktop`. */
function isConfined(): boolean {
  if (process.platform !== 'linux') return false;
  const { stdout } = spawnSync('xdg-settings', ['get', 'default-web-browser'], { encoding: 'utf8', timeout: 3_000 });
  return /^\w[\w-]*_[\w-]+\.desktop/.test(stdout ?? '');
}
