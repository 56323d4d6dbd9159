import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const program = `
  import { surviveLostOutput } from ${JSON.stringify(new URL('lost-output.ts', import.meta.url).href)};
  if (process.argv[1] === 'survive') surviveLostOutput(process);
  process.once('message', () => {
    process.stdout.write('Nobody reads this.');
    process.stderr.write('Nor this.');
    setTimeout(() => process.exit(7), 100);
  });
`;

test.each([
  ['survive', 7],
  ['end', 1],
])('a process whose output has no reader can still %s', async (what, exitCode) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, what], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await once(child, 'spawn');
  const closed = Promise.all([child.stdout, child.stderr].map((output) => once(output!, 'close')));
  child.stdout?.destroy();
  child.stderr?.destroy();
  await closed;
  child.send('write');
  expect(await once(child, 'exit')).toEqual([exitCode, null]);
});
