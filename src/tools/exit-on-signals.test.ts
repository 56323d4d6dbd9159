import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { soon } from '../../test/support/soon.ts';
import { findProcess, findRunning, signalProcess } from './processes.ts';

/** Starts a child, like a test worker, which starts a program, like a host; prints their pids. */
const program = `
  const { exitOnSignals } = await import(process.argv[1]);
  const { spawn } = await import('node:child_process');
  exitOnSignals(async () => console.log('closed'));
  const worker = spawn('sh', ['-c', 'sleep 3600 & echo $!; wait; echo another'], { stdio: ['ignore', 'pipe', 'ignore'] });
  worker.stdout.once('data', (host) => console.log(worker.pid + ' ' + host));
  setInterval(() => {}, 1_000);
`;

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  '%s sent to a process alone ends what its children have started, too',
  async (signal) => {
    const module = new URL('exit-on-signals.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, module], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout);
    const exited = once(child, 'exit');
    const [started] = (await once(lines, 'line')) as [string];
    const found = started
      .trim()
      .split(' ')
      .flatMap((pid) => findProcess(Number(pid)) ?? []);
    onTestFinished(() => {
      child.kill('SIGKILL');
      for (const one of found) signalProcess(one, 'SIGKILL');
    });
    expect(found).toHaveLength(2);
    const closed = once(lines, 'line');
    child.kill(signal);
    expect(await closed).toEqual(['closed']);
    expect(await exited).toEqual([130, null]);
    await soon(() => expect(findRunning(found)).toEqual([]));
  },
);
