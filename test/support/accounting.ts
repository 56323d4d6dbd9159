import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses } from './find-processes.ts';

/** The system resources this process holds, by kind. */
interface Holdings {
  /** Kinds of resources that keep the event loop alive, each repeated per resource. */
  resources: Record<string, number>;
  /** Open files and sockets. */
  descriptors: string[];
  /** Command lines of child processes. */
  children: string[];
}

const ofInterest = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap'];

export async function readHoldings(): Promise<Holdings> {
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (ofInterest.includes(kind)) resources[kind] = (resources[kind] ?? 0) + 1;
  }
  const folder = '/proc/self/fd';
  const links = await Promise.all((await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  const children = (await findProcesses()).filter(({ parentPid }) => parentPid === process.pid);
  return {
    resources,
    descriptors: links.filter((link) => link.startsWith('socket:') || link.startsWith('/')).sort(),
    children: children.map(({ words }) => words.join(' ')).sort(),
  };
}

/** TCP sockets that this process has open. */
export function openSocketCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

/** Resources held now that were not held before, one sentence each. */
function findLeftovers(before: Holdings, after: Holdings): string[] {
  const left: string[] = [];
  for (const [kind, count] of Object.entries(after.resources)) {
    const more = count - (before.resources[kind] ?? 0);
    if (more > 0) left.push(`${more} × ${kind}`);
  }
  const had = new Set(before.descriptors);
  const files = after.descriptors.filter((link) => link.startsWith('/') && !had.has(link) && !link.startsWith('/proc/'));
  const countSockets = ({ descriptors }: Holdings) => descriptors.filter((link) => link.startsWith('socket:')).length;
  const sockets = countSockets(after) - countSockets(before);
  if (sockets > 0) left.push(`${sockets} sockets`);
  left.push(...files.map((file) => `the file ${file}`));
  const known = new Set(before.children);
  left.push(...after.children.filter((child) => !known.has(child)).map((child) => `the process ${child}`));
  return left;
}

/** Waits up to this long until nothing is held that was not held before; returns what remains. */
export async function settleHoldings(before: Holdings, withinMs: number): Promise<string[]> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const left = findLeftovers(before, await readHoldings());
    if (left.length === 0 || performance.now() > giveUpAt) return left;
    await sleep(250);
  }
}
