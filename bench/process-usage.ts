import { readFileSync } from 'node:fs';

/** CPU time unit in `/proc`: USER_HZ, 100 on every common Linux (proc(5), `/proc/pid/stat`). */
const ticksPerSecond = 100;

/** CPU seconds of a process since its start, user and kernel mode, including ended threads: utime and stime, fields 14 and 15. */
export function readCpuSeconds(pid: number): number {
  return sumStat(pid, 14, 15);
}

/** CPU seconds of the children that a process has waited for: cutime and cstime, fields 16 and 17. */
export function readEndedChildrenCpuSeconds(pid: number): number {
  return sumStat(pid, 16, 17);
}

/** How long a process has run, in seconds: starttime, field 22, counts from the start of the system. */
export function readAgeSeconds(pid: number): number {
  return Number(readProcessFile('uptime').split(' ')[0]) - readStat(pid, 22) / ticksPerSecond;
}

function sumStat(pid: number, one: number, other: number): number {
  return (readStat(pid, one) + readStat(pid, other)) / ticksPerSecond;
}

/** A number in `/proc/pid/stat`, by its field. */
function readStat(pid: number, field: number): number {
  const stat = readProcessFile(`${pid}/stat`);
  // The second field is the name, in parentheses, and may contain anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3]);
}

/** Resident memory of a process, in MiB (`VmRSS`). */
export function readResidentMib(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readProcessFile(`${pid}/status`));
  if (found === null) throw new Error(`Process ${pid} reports no resident memory.`);
  return Number(found[1]) / 1024;
}

function readProcessFile(path: string): string {
  if (process.platform !== 'linux') throw new Error('CPU and memory can only be measured on Linux, from /proc.');
  return readFileSync(`/proc/${path}`, 'latin1');
}
