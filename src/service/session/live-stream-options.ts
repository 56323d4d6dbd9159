import type { Profile } from '../../shared/model/profile.ts';
import type { SegmentArchive } from '../hls/segment-archive.ts';
import type { Clock } from '../ports.ts';
import type { SavedHold } from '../store/hold-table.ts';
import type { SessionLedger } from '../streams/session-ledger.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { LiveSessionLedger } from './live-session.ts';
import type { StartLadder } from './publisher-renditions.ts';

/** What a live stream is made from: where it writes, what it asks, and whom it tells. */
export interface LiveStreamOptions {
  streamId: string;
  playbackId: string;
  ledger: LiveSessionLedger & Pick<SessionLedger, 'getNextSequences'>;
  clock: Clock;
  /** The hold after *Stop* that an earlier run left, and where it is kept for the next one. */
  saved?: SavedHold | undefined;
  save?: (hold: SavedHold | undefined) => void;
  reconnectWindowMs: () => number;
  liveWindowSeconds: () => number;
  /** Where segments go that the memory has no room for. */
  archive?: SegmentArchive | undefined;
  /** How long parts are to be; read when a publisher comes. */
  partMs: () => number;
  /** What the next broadcast is to be transcoded to. */
  profiles: () => readonly Profile[];
  startLadder: StartLadder;
  /** Hears what happens to the renditions, beside the stream's own log. */
  onLadderEvent?: LadderOptions['onEvent'];
  /** Called after anything that can be seen from outside has changed, and every second while on air. */
  onChange: () => void;
}
