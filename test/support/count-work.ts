import { Session } from 'node:inspector';

/** What a piece of work took, whatever else the computer did meanwhile. */
export interface Work {
  /** How often blocks of our own code were run, loops once for each turn. */
  steps: number;
  /** Bytes of all buffers that were made. */
  allocatedBytes: number;
}

export interface WorkCounter {
  /** Counts the work of what it is given, which must not wait for anything. */
  countWork(work: () => void): Work;
  /** The steps since it was last asked. */
  takeSteps(): number;
}

const makers = ['alloc', 'allocUnsafe', 'concat', 'from'] as const;

/**
 * Counts work by V8's own coverage counters, so that the code that is measured knows nothing of it.
 *
 * Only modules that are imported after this has resolved are counted: V8 puts counters into code as it compiles it.
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
