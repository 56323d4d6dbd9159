import { createRouterClient } from '@orpc/server';
import type { ContractRouter } from '../service/handlers/router.ts';
import { followStreams } from '../shared/stream-list.ts';

/** Which streams are on air, as the service says at this moment. */
export interface OnAir {
  /** Names of the streams that are on air, connecting or reconnecting. */
  names(): readonly string[];
  close(): void;
}

/** Listens to the service for which streams are on air; `onFailure` hears why, should that end by itself. */
export function watchOnAir(
  router: ContractRouter,
  { onChange, onFailure }: { onChange: (names: readonly string[]) => void; onFailure: (error: unknown) => void },
): OnAir {
  const ending = new AbortController();
  let names: readonly string[] = [];

  const watch = async () => {
    const events = await createRouterClient(router).stream.watchAll(undefined, { signal: ending.signal });
    for await (const streams of followStreams(events)) {
      names = streams.filter(({ air }) => air.kind !== 'off-air').map(({ name }) => name);
      onChange(names);
    }
  };
  watch().catch((error: unknown) => {
    if (!ending.signal.aborted) onFailure(error);
  });
  return { names: () => names, close: () => ending.abort() };
}
