import { notePrepared } from './test-preparation.ts';

/** A test's request to run code in the app's main process: a function's source, called with Electron and an argument. */
export interface EvaluateRequest {
  id: number;
  source: string;
  argument: unknown;
}

/** The answer to an {@link EvaluateRequest}. */
export type EvaluateAnswer = { id: number; result: unknown } | { id: number; error: string };

process.on('message', async ({ id, source, argument }: EvaluateRequest) => {
  const answer = await run(source, argument).then(
    (result): EvaluateAnswer => ({ id, result }),
    (error: unknown): EvaluateAnswer => ({
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  process.send?.(answer);
});

/** An app that hasn't ended this long after this channel closed never will; tests measure how long it takes. */
const graceMs = 30_000;

// The test's process is gone: nothing else would end an app that hangs.
process.on('disconnect', () => setTimeout(() => process.exit(1), graceMs).unref());

async function run(source: string, argument: unknown): Promise<unknown> {
  const electron = await import('./electron.ts');
  // biome-ignore lint/security/noGlobalEval: the source is a function of the test, as Playwright sends one to Electron.
  const result = globalThis.eval(`(${source})`)(electron, argument);
  notePrepared();
  return result;
}
