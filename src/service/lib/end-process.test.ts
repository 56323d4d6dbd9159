import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { makeFifo } from '../../../test/support/fifo.ts';

const program = `
  import { open } from 'node:fs/promises';
  import { endProcess } from ${JSON.stringify(new URL('end-process.ts', import.meta.url).href)};
  const [fifo, code, shell] = process.argv.slice(1);
  process.stdin.unref();
  process.on('exit', (code) => console.log('The log closes before', code));
  if (fifo !== '') open(fifo);
  setTimeout(() => endProcess(Number(code), { shell }), 100);
`;

/** The command for a process that ends with `code`. A thread of its pool waits for a writer of the FIFO, if there is one. */
const command = (code: number, { fifo = '', shell = '/bin/sh' } = {}) => [
  process.execPath,
  ...['--input-type=module', '-e', program, fifo, String(code), shell],
];

/** Runs a command to its end, with pipes. */
async function run([path = '', ...args]: string[]) {
  const child = spawn(path, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

const endOf = (exitCode: number) => ({ stdout: `The log closes before ${exitCode}\n`, stderr: '', exitCode });

test.skipIf(process.platform === 'win32').each([0, 1, 7])(
  'a process with a thread that waits for ever ends with %i, once its exit listeners have run',
  async (code) => {
    expect(await run(command(code, { fifo: makeFifo() }))).toEqual(endOf(code));
  },
);

test('where there is no shell, it ends as any other process does', async () => {
  expect(await run(command(7, { shell: '/nowhere/sh' }))).toEqual(endOf(7));
});

test.runIf(process.platform === 'linux')('the pipes that it shares with other processes block again afterwards', async () => {
  // The flags of its shell's three open files (proc_pid_fdinfo(5)), in octal: O_NONBLOCK is 04000.
  const script =
    '"$@"; for fd in 0 1 2; do while read -r name flags; do [ $name = flags: ] && echo $((flags & 04000)); done < /proc/$$/fdinfo/$fd; done';
  const { stdout } = await run(['/bin/sh', '-c', script, 'sh', ...command(0)]);
  expect(stdout).toBe(`${endOf(0).stdout}0\n0\n0\n`);
});
