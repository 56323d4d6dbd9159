import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** How busy this computer's processors are. */
export interface Processors {
  /** Milliseconds that each core has been busy and idle since the computer started; empty where that is unknown. */
  readCores(): readonly { busyMs: number; idleMs: number }[];
  /** CPU seconds that a process has used; undefined where that is unknown, or when it has ended. */
  readCpuSeconds(pid: number): number | undefined;
}

/** Clock ticks per second in `/proc`: `USER_HZ`, 100 on every architecture that Node runs on (proc(5)). */
const ticksPerSecond = 100;

/** The number and model of this computer's cores, as its system names them: `8 × AMD Ryzen 7 5800X 8-Core Processor`. */
export function nameProcessors(): string {
  const all = cpus();
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown'}`;
}

/** This computer's own. A process's CPU time is known only with `/proc`, as on Linux. */
export const ownProcessors: Processors = {
  readCores() {
    return cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busyMs: user + nice + sys + irq, idleMs: idle }));
  },
  readCpuSeconds(pid) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name, in parentheses, may contain anything; `utime` and `stime` are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return Number.isFinite(ticks) ? ticks / ticksPerSecond : undefined;
    } catch {
      return undefined;
    }
  },
};
