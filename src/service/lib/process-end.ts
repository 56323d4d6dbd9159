/** Ends a host's process. */
export interface ProcessEnd {
  /** Closes everything and ends the process with this code. Further calls do nothing. */
  end(exitCode: number): void;
  /** Handles an uncaught bug: the state is unknown, so closes everything and exits with 1. */
  crash(error: unknown): void;
}

/** Why a process ends. */
export interface ProcessEndCause {
  /** Whether a bug ends it, rather than somebody on purpose. */
  hasCrashed: boolean;
}

/** Closing is abandoned after this long: users and service managers wait at most 5 s. */
const defaultTimeoutMs = 4_500;

const failedClose = 'Tallylight could not close everything.';

/**
 * Ends a process in order, once, and in under 5 s, whatever fails.
 *
 * @param options.close closes everything; it may reject or hang
 * @param options.exit is called once, at the end
 * @param options.report gets the first fault and the reason why closing failed, each once, even if faults repeat
 */
export function createProcessEnd({
  close,
  report,
  exit,
  timeoutMs = defaultTimeoutMs,
}: {
  close: (cause: ProcessEndCause) => Promise<void>;
  report: (error: unknown, what: string) => void;
  exit: (exitCode: number, cause: ProcessEndCause) => void;
  timeoutMs?: number;
}): ProcessEnd {
  let isEnding = false;
  let hasCrashed = false;
  let hasEnded = false;

  const end = (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    const finish = (code: number) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(tooLong);
      exit(code, { hasCrashed });
    };
    const tooLong = setTimeout(() => {
      tellQuietly(new Error(`Closing took longer than ${timeoutMs / 1000} s.`), failedClose);
      finish(1);
    }, timeoutMs);
    // In an async function, so that a synchronous throw is handled like a rejection.
    (async () => close({ hasCrashed }))().then(
      () => finish(hasCrashed ? 1 : exitCode),
      (error: unknown) => {
        tellQuietly(error, failedClose);
        finish(1);
      },
    );
  };
  /** A failing log must not keep the process alive. */
  const tellQuietly = (error: unknown, what: string) => {
    try {
      report(error, what);
    } catch {
      // There is nothing left to report to.
    }
  };
  return {
    end,
    crash(error) {
      if (!hasCrashed) tellQuietly(error, 'Tallylight ended because of an internal error.');
      hasCrashed = true;
      end(1);
    },
  };
}

/** The last resort: an uncaught exception or an unhandled rejection ends the process in order. */
export function crashOnFaults(process: Pick<NodeJS.Process, 'on'>, { crash }: Pick<ProcessEnd, 'crash'>): void {
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
