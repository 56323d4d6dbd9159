// Installs the packages if they are missing or older than the lock file, and prints nothing otherwise.
//
// Each script in package.json runs `(node --input-type=module - < src/tools/setup.ts) && exec node …`: the first time with the Node that
// started npm, later with the installed one. An older Node cannot run TypeScript files, but accepts this one on standard input because
// it has no type annotations. The parentheses make a subshell: otherwise bash would remember where it found `node`, and run the
// rest on that Node even if another one has just been installed. In Windows' cmd they only group.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const bin = join('node_modules', '.bin');
const windows = process.platform === 'win32';

// Windows can't delete a running program, as npm would do with the Node that runs this, but can rename it within its volume.
const replacedNode = join('out', '.replaced-node');
if (windows) {
  try {
    rmSync(replacedNode, { recursive: true, force: true });
  } catch {
    // It still runs, for example as an earlier Tallylight. A later run deletes it.
  }
}

/**
 * Moves each `node.exe` of the package "node" aside: the program and its hard link. Without `node.cmd`, a run after a failed
 * installation takes the Node that started npm.
 */
function moveNodeAside() {
  rmSync(join(bin, 'node.cmd'), { force: true });
  const folder = join('node_modules', 'node');
  if (!existsSync(folder)) return;
  mkdirSync(replacedNode, { recursive: true });
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => basename(path) === 'node.exe');
  for (const [index, path] of paths.entries()) renameSync(join(folder, path), join(replacedNode, `${Date.now()}-${index}.exe`));
}

/** When npm last finished installing, and when the lock file last changed; undefined if there is no such file. */
const [installedAtMs, lockedAtMs] = [join('node_modules', '.package-lock.json'), 'package-lock.json'].map(
  (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
);
if (installedAtMs === undefined || installedAtMs < (lockedAtMs ?? 0)) {
  console.error('Installing the packages; this takes a few minutes the first time.');
  if (windows) moveNodeAside();
  const npm = process.env.npm_execpath;
  const [program, first] = npm === undefined ? ['npm', []] : [process.env.npm_node_execpath ?? process.execPath, [npm]];
  // If NODE_ENV is "production", npm leaves out the packages that build Tallylight.
  const { status } = spawnSync(program, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    // Standard output belongs to the requested command, so npm's output goes to standard error.
    stdio: ['ignore', 2, 2],
    shell: windows && npm === undefined,
  });
  if (status !== 0) {
    console.error(
      "The packages could not be installed. See npm's output above, then try again. If that fails too, delete node_modules first.",
    );
    process.exit(1);
  }
}

if (!existsSync(join(bin, windows ? 'node.cmd' : 'node'))) {
  const todo =
    process.env.npm_config_ignore_scripts === 'true'
      ? 'npm is set to run no scripts of packages (ignore-scripts), and this one needs its own. Run: npm ci --ignore-scripts=false'
      : 'Delete node_modules and try again.';
  console.error(`The package "node", which contains the Node that Tallylight runs on, is incomplete. ${todo}`);
  process.exit(1);
}

// The scripts in package.json use `exec node …`, so that signals reach Node and not a shell. Windows has neither that command nor
// such signals; there it just runs the rest.
const execWord = join(bin, 'exec.cmd');
if (windows && !existsSync(execWord)) writeFileSync(execWord, '@%*\r\n');
