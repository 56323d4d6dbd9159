import type { MeterStarter } from './audio-meter/publisher-meter.ts';
import { maxMediaBytes } from './config.ts';
import { MediaMemory } from './hls/media-memory.ts';
import type { SegmentArchive } from './hls/segment-archive.ts';
import type { SleepWatch } from './lib/sleep-watch.ts';
import type { Store } from './open-store.ts';
import type { Clock, Logger } from './ports.ts';
import type { LiveStream } from './session/live-stream.ts';
import type { RenditionNews } from './session/rendition-news.ts';
import { SessionRegistry } from './session/session-registry.ts';
import { startLadder } from './session/start-ladder.ts';
import type { EncoderChooser } from './transcode/encoder-choice.ts';
import type { LadderBounds } from './transcode/ladder-bounds.ts';

export interface OpenSessionsOptions {
  clock: Clock;
  log: Logger;
  store: Pick<Store, 'streams' | 'ledger' | 'holds' | 'changes' | 'settings'>;
  archive: SegmentArchive;
  encoders: EncoderChooser;
  startAudioMeter: MeterStarter;
  sleepWatch: SleepWatch;
  /** Whether a stream's broadcast goes from here to another region. */
  isElsewhere: (streamId: string) => boolean;
  ladderBounds: LadderBounds | undefined;
  onRenditionNews: ((news: RenditionNews) => void) | undefined;
  /** Called with each stream once a second. */
  onTick: (live: LiveStream) => void;
  /** Ends the ladders. */
  closing: AbortSignal;
}

/** Opens the live streams: their sessions, ladders and audio meters; `opened` closes them. */
export function openSessions(options: OpenSessionsOptions, opened: AsyncDisposableStack): SessionRegistry {
  const { clock, log, store, archive, encoders, startAudioMeter, sleepWatch, isElsewhere, onTick, closing } = options;
  const { ladderBounds, onRenditionNews } = options;
  const { streams, ledger, holds, changes, settings } = store;
  const registry = new SessionRegistry({
    streams,
    ledger,
    holds,
    changes,
    clock,
    log,
    archive,
    memory: new MediaMemory(maxMediaBytes),
    onRenditionNews,
    sleepWatch,
    isElsewhere,
    onTick,
    startLadder: (ladder) => startLadder(ladder, { encoders, clock, closing, bounds: ladderBounds }),
    startAudioMeter,
    reconnectWindowMs: () => settings.get().reconnectWindowSeconds * 1000,
    liveWindowSeconds: () => settings.get().liveWindowSeconds,
    partMs: () => settings.get().partMs,
  });
  opened.defer(() => registry.close());
  return registry;
}
