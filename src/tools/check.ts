import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { root } from './paths.ts';

/** The static checks: name, program in node_modules, arguments. */
const checks: readonly { name: string; program: string; args: string[] }[] = [
  { name: 'types', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  { name: 'lint and format', program: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'unused code', program: 'knip/bin/knip.js', args: ['--no-progress'] },
];

/** Runs one check. Its output is printed when it ends, so that concurrent checks do not mix. */
async function run({ name, program, args }: (typeof checks)[number]): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], ...said] = await Promise.all([once(child, 'exit'), buffer(child.stdout), buffer(child.stderr)]);
  const passed = code === 0;
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}: ${name}\n`);
  if (!passed) process.stdout.write(Buffer.concat(said));
  return passed;
}

const results = await Promise.all(checks.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
