import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** What can be told of the work of this computer's processors. */
export interface Processors {
  /** Milliseconds that each core has been busy and idle since the computer started; empty where that is not told. */
  readCores(): readonly { busyMs: number; idleMs: number }[];
  /** CPU seconds that a process has used; undefined where that is not told, or when it has ended. */
  readCpuSeconds(pid: number): number | undefined;
}

/** Clock ticks of `/proc` a second: `USER_HZ`, 100 on every architecture that Node runs on (proc(5)). */
const ticksPerSecond = 100;

/** This computer's own. What a process has used is told where there is a `/proc`, as on Linux. */
export const ownProcessors: Processors = {
  readCores() {
    return cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busyMs: user + nice + sys + irq, idleMs: idle }));
  },
  readCpuSeconds(pid) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name, in parentheses, may hold anything; `utime` and `stime` are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return Number.isFinite(ticks) ? ticks / ticksPerSecond : undefined;
    } catch {
      return undefined;
    }
  },
};
