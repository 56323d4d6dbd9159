import { createRouterClient } from '@orpc/server';
import type { ContractRouter } from '../service/handlers/router.ts';

/** Which streams are on air, as the service says at this moment. */
export interface OnAir {
  /** Names of the streams that are on air, connecting or reconnecting. */
  names(): readonly string[];
  close(): void;
}

/** Listens to the service for which streams are on air. `onFailure` hears why, should that end by itself. */
export function watchOnAir(router: ContractRouter, onFailure: (error: unknown) => void): OnAir {
  const ending = new AbortController();
  let names: readonly string[] = [];

  const watch = async () => {
    for await (const streams of await createRouterClient(router).stream.watchAll(undefined, { signal: ending.signal })) {
      names = streams.filter(({ air }) => air.kind !== 'off-air').map(({ name }) => name);
    }
  };
  watch().catch((error: unknown) => {
    if (!ending.signal.aborted) onFailure(error);
  });
  return { names: () => names, close: () => ending.abort() };
}
