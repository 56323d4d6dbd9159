import { implement } from '@orpc/server';
import { contract } from '../../shared/contract.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import type { PlayReports } from '../health/play-reports.ts';
import type { NetworkWatch } from '../lib/network-watch.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import type { ApiKeys } from '../streams/api-keys.ts';
import type { LiveControl } from '../streams/live-control.ts';
import type { StreamChanges } from '../streams/stream-change.ts';
import type { Streams } from '../streams/streams.ts';
import type { StreamViews } from './stream-views.ts';
import { toWireError } from './wire-error.ts';

/** The parts of the service that the contract's calls reach. */
export interface HandlerContext {
  info: () => ServiceInfo;
  onInfoChange: (listener: () => void) => () => void;
  streams: Streams;
  views: StreamViews;
  changes: StreamChanges;
  registry: SessionRegistry;
  live: LiveControl;
  oneClicks: OneClicks;
  network: Pick<NetworkWatch, 'report'>;
  playReports: PlayReports;
  apiKeys: ApiKeys;
  settings: SettingsStore;
  clock: Clock;
  log: Logger;
}

/** The contract, to be implemented call by call. Errors cross to the client as data. */
export function implementContract({ log }: Pick<HandlerContext, 'log'>) {
  return implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw toWireError(error, log);
    }
  });
}

export type Implementer = ReturnType<typeof implementContract>;

/** Yields a value of one stream now and after each change, as an event iterator. */
export async function* watchStream<Value>(
  { changes, registry, log }: Pick<HandlerContext, 'changes' | 'registry' | 'log'>,
  read: () => Value,
  { streamId, signal }: { streamId: string; signal: AbortSignal | undefined },
): AsyncGenerator<Value, void> {
  try {
    yield* watchValue(read, {
      onChange(listener) {
        const offs = [
          changes.on((change) => {
            if (change.streamId === streamId) listener();
          }),
          registry.onUnknownKey(() => {
            if (!registry.hasPublisher(streamId)) listener();
          }),
        ];
        return () => {
          for (const off of offs) off();
        };
      },
      signal: signal ?? new AbortController().signal,
    });
  } catch (error) {
    throw toWireError(error, log);
  }
}
