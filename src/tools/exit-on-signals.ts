import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Hosts close in under 5 s; what runs longer is killed. */
const graceMs = 5_000;

interface FoundProcess {
  pid: number;
  parentPid: number;
}

/**
 * Exits with 130 at SIGINT, SIGTERM or SIGHUP, after everything that this process has started, directly or not, has ended, and then
 * `close`. A terminal sends Ctrl+C to all of them, but a signal by pid reaches only this process.
 */
export function exitOnSignals(close: () => Promise<void>): void {
  let isLeaving = false;
  const leave = async () => {
    if (isLeaving) return;
    isLeaving = true;
    if (process.platform !== 'win32') await endDescendants();
    await close();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
}

/** Asks all descendants to end, and kills those that don't in time. Its children are stopped meanwhile, so that they start no more. */
async function endDescendants(): Promise<void> {
  const children = listProcesses().filter(({ parentPid }) => parentPid === process.pid);
  send(children, 'SIGSTOP');
  const descendants = findBelow(children, listProcesses());
  send(descendants, 'SIGTERM');
  const giveUpAtMs = performance.now() + graceMs;
  while (findRunning(descendants).length > 0 && performance.now() < giveUpAtMs) await sleep(50);
  send([...findRunning(descendants), ...children], 'SIGKILL');
}

function findBelow(parents: readonly FoundProcess[], all: readonly FoundProcess[]): FoundProcess[] {
  const below = all.filter(({ parentPid }) => parents.some(({ pid }) => pid === parentPid));
  return below.length === 0 ? [] : [...below, ...findBelow(below, all)];
}

/** Those that still run: the same process, or one that has lost its parent. */
function findRunning(of: readonly FoundProcess[]): FoundProcess[] {
  const now = listProcesses();
  return of.filter(({ pid }) => now.some((found) => found.pid === pid));
}

/** All processes of this computer, without those that have exited and wait for their parent to ask (ps(1), POSIX). */
function listProcesses(): FoundProcess[] {
  const { stdout, error } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  // Some containers have no ps.
  const lines = error === undefined ? stdout.trim().split('\n') : [];
  return lines.flatMap((line) => {
    const [pid, parentPid, state = ''] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parentPid: Number(parentPid) }];
  });
}

function send(to: readonly FoundProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of to) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
