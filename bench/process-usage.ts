import { readFileSync } from 'node:fs';

/** What `/proc` counts CPU time in: USER_HZ, 100 on every common Linux (proc(5), `/proc/pid/stat`). */
const ticksPerSecond = 100;

/** Seconds of CPU that a process has used since it began, in user and kernel mode, its ended threads included. */
export function readCpuSeconds(pid: number): number {
  const stat = readProcessFile(pid, 'stat');
  // The name stands in parentheses and may hold anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process, in MiB (`VmRSS`). */
export function readResidentMib(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readProcessFile(pid, 'status'));
  if (found === null) throw new Error(`The process ${pid} tells no resident memory.`);
  return Number(found[1]) / 1024;
}

function readProcessFile(pid: number, name: string): string {
  if (process.platform !== 'linux') throw new Error('CPU and memory are read from /proc: measure them on Linux.');
  return readFileSync(`/proc/${pid}/${name}`, 'latin1');
}
