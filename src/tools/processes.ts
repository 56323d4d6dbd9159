import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from '../service/lib/read-error.ts';

/** Identifies one process and no later one: a system reuses pids, but never with the same start time. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's format; only to be compared. */
  start: string;
}

export interface RunningProcess extends ProcessIdentity {
  parentPid: number;
}

const isLinux = process.platform === 'linux';

/**
 * All processes of this computer except zombies. Starts no process that would be listed. Empty on Windows, and where `/proc` isn't this
 * process's own, as in some sandboxes, whose pids mean other processes.
 */
export function listProcesses(): RunningProcess[] {
  if (isLinux) return isProcOurs() ? readdirSync('/proc').flatMap((name) => readStat(name) ?? []) : [];
  if (process.platform === 'win32') return [];
  const fields = 'pid=,ppid=,stat=,lstart=';
  const ps = spawnSync('ps', ['-A', '-o', fields], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return ps.error === undefined ? parsePs(ps.stdout, ps.pid) : [];
}

/**
 * Sends a signal to this process only: never to a later process with its pid, to a group, to the first process or to this one.
 *
 * The pid of a child of ours can't be reused between the check and the signal, since Node collects exits only between turns.
 *
 * @returns false if it is gone, or another user's.
 * @throws {RangeError} when the pid can't be that of another process.
 */
export function signalProcess({ pid, start }: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid) throw new RangeError(`${signal} must not go to ${pid}.`);
  if (findProcess(pid)?.start !== start) return false;
  try {
    // biome-ignore lint/plugin: the one place that signals by pid.
    return process.kill(pid, signal);
  } catch (error) {
    if (['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/** The processes of `known` that still run. */
export function findRunning<Known extends ProcessIdentity>(known: readonly Known[]): Known[] {
  const starts = new Map(listProcesses().map(({ pid, start }) => [pid, start]));
  return known.filter(({ pid, start }) => starts.get(pid) === start);
}

/** The process with this pid now. */
export function findProcess(pid: number): RunningProcess | undefined {
  if (isLinux) return isProcOurs() ? readStat(String(pid)) : undefined;
  return listProcesses().find((found) => found.pid === pid);
}

/** A line of `/proc/<pid>/stat` (proc(5)); nothing if the process has exited. */
export function parseStat(line: string): RunningProcess | undefined {
  // Its name is in parentheses, and may contain any character.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid] = fields;
  // Field 22, the clock ticks between the start of the computer and that of the process. The state is field 3.
  const start = fields[19];
  if (state === undefined || 'ZXx'.includes(state) || start === undefined) return undefined;
  return { pid: Number.parseInt(line, 10), parentPid: Number(parentPid), start };
}

/** The output of `ps -A -o pid=,ppid=,stat=,lstart=` without `ps` itself (ps(1)). */
export function parsePs(text: string, psPid: number): RunningProcess[] {
  return [...text.matchAll(/^ *(\d+) +(\d+) +(\S+) +(\S.*?) *$/gm)].flatMap(([, pid, parentPid, state = '', start = '']) =>
    state.startsWith('Z') || Number(pid) === psPid ? [] : [{ pid: Number(pid), parentPid: Number(parentPid), start }],
  );
}

function readStat(name: string): RunningProcess | undefined {
  if (!/^[1-9]\d*$/.test(name)) return undefined;
  try {
    return parseStat(readFileSync(`/proc/${name}/stat`, 'latin1'));
  } catch {
    // It has just exited.
    return undefined;
  }
}

function isProcOurs(): boolean {
  try {
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}
