import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { afterAll, vi } from 'vitest';

/** The cost of a piece of work, independent of the computer's load. */
export interface Work {
  /** How many times blocks of our own code ran, loops once per iteration. */
  steps: number;
  /** Bytes of all buffers allocated. */
  allocatedBytes: number;
}

export interface WorkCounter {
  /** Counts the work of a synchronous function. */
  countWork(work: () => void): Work;
  /** The steps since the last call. */
  takeSteps(): number;
}

const makers = ['alloc', 'allocUnsafe', 'concat', 'from'] as const;

/**
 * Counts work with V8's coverage counters, so the measured code needs no instrumentation.
 *
 * Only modules imported after this resolves are counted, since V8 adds its counters when it compiles code. They are compiled again
 * for this file: earlier files of the same worker may have run them without counters.
 */
export async function startCountingWork(): Promise<WorkCounter> {
  const session = new Session();
  session.connect();
  const ask = (method: string, params?: object): unknown => {
    let answer: unknown;
    // Within one thread the inspector answers before this returns.
    session.post(method, params, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  vi.resetModules();
  setFlagsFromString('--no-compilation-cache');
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  // The files that follow need no counters, which cost much.
  afterAll(() => {
    setFlagsFromString('--compilation-cache');
    setFlagsFromString('--opt');
    setFlagsFromString('--maglev');
    ask('Profiler.stopPreciseCoverage');
    session.disconnect();
    vi.resetModules();
  });
  const takeSteps = () => {
    const { result } = ask('Profiler.takePreciseCoverage') as { result: Coverage[] };
    return result
      .filter(({ url }) => url.includes('/src/service/') && !url.includes('.test.'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
  };
  const countWork = (work: () => void) => {
    takeSteps();
    const allocatedBytes = countAllocations(work);
    return { steps: takeSteps(), allocatedBytes };
  };
  return { countWork, takeSteps };
}

interface Coverage {
  url: string;
  functions: { ranges: { count: number }[] }[];
}

function countAllocations(work: () => void): number {
  let bytes = 0;
  const originals = makers.map((name) => [name, Buffer[name]] as const);
  for (const [name, original] of originals) {
    Object.assign(Buffer, {
      [name](...given: unknown[]) {
        const made: Buffer = Reflect.apply(original as (...all: unknown[]) => Buffer, Buffer, given);
        bytes += made.length;
        return made;
      },
    });
  }
  try {
    work();
  } finally {
    for (const [name, original] of originals) Object.assign(Buffer, { [name]: original });
  }
  return bytes;
}
