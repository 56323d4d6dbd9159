// Run as `node --input-type=module - < src/tools/setup.ts`: by whatever Node started npm, before anything is installed. An
// older one reads no TypeScript files, but takes this one from standard input, since nothing in it has a type written out.
// It installs the packages when they are missing or older than the lock file, and says nothing otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const bin = join('node_modules', '.bin');
const windows = process.platform === 'win32';

/** When npm last finished installing, and when the lock file last changed; undefined when there is no such file. */
const [installedAtMs, lockedAtMs] = [join('node_modules', '.package-lock.json'), 'package-lock.json'].map(
  (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
);
if (installedAtMs === undefined || installedAtMs < (lockedAtMs ?? 0)) {
  console.error('Installing the packages; this takes a few minutes the first time.');
  const npm = process.env.npm_execpath;
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status } = spawnSync(program, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    // Standard output belongs to the command that was asked for, so npm's goes to standard error.
    stdio: ['ignore', 2, 2],
    shell: windows && npm === undefined,
  });
  if (status !== 0) {
    console.error('The packages could not be installed; what npm says above tells why.');
    process.exit(1);
  }
}

if (!existsSync(join(bin, windows ? 'node.cmd' : 'node'))) {
  console.error(
    'The package "node", which brings the Node that Tallylight runs on, is not whole; delete node_modules and try again.',
  );
  process.exit(1);
}

// The scripts of package.json say `exec node …`, so that signals reach Node and not a shell before it. Windows has no
// such word, and no such signals: there it only runs what follows.
const execWord = join(bin, 'exec.cmd');
if (windows && !existsSync(execWord)) writeFileSync(execWord, '@%*\r\n');
