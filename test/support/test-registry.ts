import { pino } from 'pino';
import { MediaMemory } from '../../src/service/hls/media-memory.ts';
import { createEventSource } from '../../src/service/lib/event-source.ts';
import { SessionRegistry, type SessionRegistryOptions } from '../../src/service/session/session-registry.ts';
import type { StreamChange } from '../../src/service/streams/stream-change.ts';
import { idleLadder } from './idle-ladder.ts';
import type { StoreStand } from './store-stand.ts';

/** A session registry over a store, without ladders and log; the test closes it. `options` replace the usual ones. */
export function createTestRegistry(
  { streams, ledger, clock }: Pick<StoreStand, 'streams' | 'ledger' | 'clock'>,
  options: Partial<SessionRegistryOptions> = {},
): SessionRegistry {
  return new SessionRegistry({
    streams,
    ledger,
    clock,
    changes: createEventSource<StreamChange>(),
    log: pino({ level: 'silent' }),
    startLadder: () => idleLadder,
    reconnectWindowMs: () => 60_000,
    liveWindowSeconds: () => 60,
    partMs: () => 200,
    holds: { find: () => undefined, save: () => {}, streamIds: () => [] },
    archive: undefined,
    memory: new MediaMemory(Number.POSITIVE_INFINITY),
    startAudioMeter: undefined,
    onRenditionNews: undefined,
    onTick: () => {},
    sleepWatch: { check: () => undefined },
    isElsewhere: () => false,
    ...options,
  });
}
