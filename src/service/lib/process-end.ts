/** The end of a host's process. */
export interface ProcessEnd {
  /** Closes what runs and ends the process with this code; a second call changes nothing. */
  end(exitCode: number): void;
  /** A bug has shown itself: the state is unknown, so everything is closed, and the process ends with 1. */
  crash(error: unknown): void;
}

/** Closing that takes longer is given up: whoever ends the process waits no more than 5 s. */
const defaultTimeoutMs = 4_500;

/**
 * Ends a process in order, once, and in under 5 s, whatever fails on the way.
 *
 * @param options.close closes what runs; it may reject, and it may hang.
 * @param options.report hears the first fault, and why closing failed: each once, however often a fault shows itself meanwhile.
 */
export function createProcessEnd({
  close,
  report,
  exit,
  timeoutMs = defaultTimeoutMs,
}: {
  close: () => Promise<void>;
  report: (error: unknown, what: string) => void;
  exit: (exitCode: number) => void;
  timeoutMs?: number;
}): ProcessEnd {
  let isEnding = false;
  let hasCrashed = false;

  const end = (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    const finish = (code: number) => {
      clearTimeout(tooLong);
      exit(code);
    };
    const tooLong = setTimeout(() => {
      tellQuietly(new Error(`Closing took longer than ${timeoutMs / 1000} s.`), 'not everything could be closed');
      finish(1);
    }, timeoutMs);
    // In a function of its own: a throw at once is a failure like any other.
    (async () => close())().then(
      () => finish(hasCrashed ? 1 : exitCode),
      (error: unknown) => {
        tellQuietly(error, 'not everything could be closed');
        finish(1);
      },
    );
  };
  /** A log that fails is no reason to stay. */
  const tellQuietly = (error: unknown, what: string) => {
    try {
      report(error, what);
    } catch {
      // There is nobody left to tell.
    }
  };
  return {
    end,
    crash(error) {
      if (!hasCrashed) tellQuietly(error, 'a fault of Tallylight ended it');
      hasCrashed = true;
      end(1);
    },
  };
}

/** The last net: a throw that nobody caught, and a promise whose failure nobody heard, end the process in order. */
export function crashOnFaults(process: Pick<NodeJS.Process, 'on'>, { crash }: Pick<ProcessEnd, 'crash'>): void {
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
