import { implement } from '@orpc/server';
import { contract } from '../../shared/contract.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import type { DeviceWatch } from '../capture/devices/device-watch.ts';
import type { SourcePreviews } from '../capture/source-previews.ts';
import type { PlayReports } from '../health/play-reports.ts';
import type { NetworkWatch } from '../lib/network-watch.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { PageCaptures } from '../page-capture/page-captures.ts';
import type { PageMedia } from '../page-capture/page-media.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Regions } from '../regions/regions.ts';
import type { RemoteServices } from '../remote/remote-services.ts';
import type { StreamServices } from '../services/stream-services.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import type { ApiKeys } from '../streams/api-keys.ts';
import type { ChoiceLedger } from '../streams/choice-ledger.ts';
import { toWireError } from './wire-error.ts';

/** The parts of the service that the contract's calls reach. */
export interface HandlerContext {
  info: () => ServiceInfo;
  onInfoChange: (listener: () => void) => () => void;
  oneClicks: OneClicks;
  choices: ChoiceLedger;
  network: Pick<NetworkWatch, 'report'>;
  devices: Pick<DeviceWatch, 'devices' | 'onChange'>;
  previews: SourcePreviews;
  pageCaptures: PageCaptures;
  pageMedia: PageMedia;
  playReports: PlayReports;
  apiKeys: ApiKeys;
  /** This computer's streams and those of remote services. */
  services: StreamServices;
  remotes: RemoteServices;
  settings: SettingsStore;
  regions: Regions;
  clock: Clock;
  log: Logger;
}

/**
 * The contract, to be implemented call by call. Errors of calls and of their events cross to the client as data. Each call gets
 * `left`, which aborts once its caller has withdrawn it or is gone.
 */
export function implementContract({ log }: Pick<HandlerContext, 'log'>) {
  return implement(contract).use(async ({ next, signal }) => {
    try {
      const { output, ...rest } = await next({ context: { left: signal ?? new AbortController().signal } });
      return { ...rest, output: isEvents(output) ? passOn(output, signal, log) : output };
    } catch (error) {
      // The caller has withdrawn the call, which is not a fault.
      if (signal?.aborted && error === signal.reason) throw error;
      throw toWireError(error, log);
    }
  });
}

export type Implementer = ReturnType<typeof implementContract>;

function isEvents(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

/** Passes events on until the caller leaves. They are read, and checked against the contract, once the call has returned. */
async function* passOn(
  events: AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
  log: Logger,
): AsyncGenerator<unknown, void> {
  try {
    yield* events;
  } catch (error) {
    if (signal?.aborted) return;
    throw toWireError(error, log);
  }
}
