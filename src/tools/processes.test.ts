import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findProcess, findRunning, listProcesses, parsePs, parseStat, signalProcess } from './processes.ts';

const statOf = (name: string, state: string) =>
  `4711 (${name}) ${state} 42 4711 4711 34817 4711 4194304 97 0 0 0 0 0 0 0 20 0 1 0 66554433 5636096 211 18446744073709551615`;

test.each(['sleep', 'a b', ') S 1 1 1 (', '((', ''])(
  'the stat of a process with the name "%s" has its parent and its start',
  (name) => {
    expect(parseStat(statOf(name, 'S'))).toEqual({ pid: 4711, parentPid: 42, start: '66554433' });
  },
);

test.each([statOf('sh', 'Z'), statOf('sh', 'X'), '', '4711 (sh)'])('a process that has exited is none: "%s"', (line) => {
  expect(parseStat(line)).toBeUndefined();
});

test('the output of ps is read without ps itself, and without processes that have exited', () => {
  const text = [
    '    1     0 Ss   Mon Nov  2 09:13:04 2026',
    '  812     1 S+   Mon Nov 23 11:58:14 2026    ',
    '  813   812 Z    Mon Nov 23 11:58:15 2026',
    '  814   812 R+   Mon Nov 23 11:58:16 2026',
    '',
  ].join('\n');
  expect(parsePs(text, 814)).toEqual([
    { pid: 1, parentPid: 0, start: 'Mon Nov  2 09:13:04 2026' },
    { pid: 812, parentPid: 1, start: 'Mon Nov 23 11:58:14 2026' },
  ]);
});

describe.skipIf(process.platform === 'win32')('a running process', () => {
  const start = async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    const found = findProcess(child.pid as number);
    if (found === undefined) throw new Error('The child is not listed.');
    return { child, found, exited: once(child, 'exit') };
  };

  test('is listed with its parent until it exits, and listing starts no child of this process', async () => {
    const { child, found, exited } = await start();
    expect(found).toEqual({ pid: child.pid, parentPid: process.pid, start: expect.any(String) });
    const listed = listProcesses();
    expect(listed.filter(({ pid }) => pid === child.pid)).toEqual([found]);
    expect(findRunning(listed.filter(({ parentPid }) => parentPid === process.pid))).toContainEqual(found);
    child.kill();
    await exited;
    expect([findProcess(found.pid), findRunning([found])]).toEqual([undefined, []]);
  });

  test('gets no signal that is for an earlier process with its pid', async () => {
    const { child, found, exited } = await start();
    const earlier = { pid: found.pid, start: 'earlier' };
    expect([findRunning([earlier]), signalProcess(earlier, 'SIGKILL')]).toEqual([[], false]);
    // SIGKILL would have been first.
    child.kill('SIGTERM');
    expect(await exited).toEqual([null, 'SIGTERM']);
  });

  test('gets the signal that is for it, once', async () => {
    const { found, exited } = await start();
    expect(signalProcess(found, 'SIGKILL')).toBe(true);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(signalProcess(found, 'SIGKILL')).toBe(false);
  });
});

test.each([0, 1, -1, -process.pid, process.pid, Number.NaN, 4711.5, 2 ** 60, undefined, null, ''])(
  'a signal to %s is an error and reaches nobody: no group, not the first process, and not this one',
  (pid) => {
    const start = findProcess(process.pid)?.start ?? '';
    expect(() => signalProcess({ pid: pid as number, start }, 'SIGKILL')).toThrow(RangeError);
  },
);
