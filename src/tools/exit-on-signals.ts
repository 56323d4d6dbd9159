import { setTimeout as sleep } from 'node:timers/promises';
import { findRunning, listProcesses, type ProcessIdentity, type RunningProcess, signalProcess } from './processes.ts';

/** Hosts close in under 5 s; processes that run longer are killed. */
const graceMs = 5_000;

/**
 * Exits with 130 at SIGINT, SIGTERM or SIGHUP, after everything that this process has started, directly or not, has ended, and then
 * `close`. A terminal sends Ctrl+C to all of them, but a signal by pid reaches only this process.
 */
export function exitOnSignals(close: () => Promise<void>): void {
  let isLeaving = false;
  const leave = async () => {
    if (isLeaving) return;
    isLeaving = true;
    await endDescendants();
    await close();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
}

/**
 * Asks all descendants to end, and kills those that don't in time. This process's children are suspended meanwhile, so that they start no
 * more processes and can't collect the exits of their own children, whose pids therefore stay reserved.
 */
async function endDescendants(): Promise<void> {
  const children = listProcesses().filter(({ parentPid }) => parentPid === process.pid);
  send(children, 'SIGSTOP');
  const descendants = findBelow(findRunning(children), listProcesses());
  send(descendants, 'SIGTERM');
  const giveUpAtMs = performance.now() + graceMs;
  while (findRunning(descendants).length > 0 && performance.now() < giveUpAtMs) await sleep(50);
  send([...descendants, ...children], 'SIGKILL');
}

function send(to: readonly ProcessIdentity[], signal: NodeJS.Signals): void {
  for (const one of to) signalProcess(one, signal);
}

/** All below these processes, each once. */
function findBelow(parents: readonly RunningProcess[], all: readonly RunningProcess[]): RunningProcess[] {
  const pids = new Set(parents.map(({ pid }) => pid));
  const below: RunningProcess[] = [];
  for (;;) {
    const more = all.filter(({ pid, parentPid }) => pids.has(parentPid) && !pids.has(pid) && pid !== process.pid);
    if (more.length === 0) return below;
    below.push(...more);
    for (const { pid } of more) pids.add(pid);
  }
}
