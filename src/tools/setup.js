// JavaScript, not TypeScript: this runs on whatever Node started npm, before anything is installed.
// It installs the packages when they are missing or older than the lock file, and says nothing otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const windows = process.platform === 'win32';

/** When npm last finished installing, or when the lock file last changed; undefined when there is no such file. */
function modifiedAtMs(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;
}

const installedAtMs = modifiedAtMs('node_modules/.package-lock.json');
if (installedAtMs === undefined || installedAtMs < (modifiedAtMs('package-lock.json') ?? 0)) {
  console.error('Installing the packages; this takes a minute the first time.');
  const npmArguments = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  // Standard output belongs to the command that was asked for, so npm's goes to standard error.
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...npmArguments], options)
    : spawnSync('npm', npmArguments, { ...options, shell: windows });
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
