import type { Profile } from '../../shared/model/profile.ts';
import type { MediaMemory } from '../hls/media-memory.ts';
import type { SegmentArchive } from '../hls/segment-archive.ts';
import type { Clock } from '../ports.ts';
import type { SavedHold } from '../store/hold-table.ts';
import type { SessionLedger } from '../streams/session-ledger.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { LiveSessionLedger } from './live-session.ts';
import type { StartLadder } from './publisher-renditions.ts';
import type { StartAudioMeter } from './stream-media.ts';

/** Everything that a live stream writes to, asks, and calls. */
export interface LiveStreamOptions {
  streamId: string;
  playbackId: string;
  ledger: LiveSessionLedger & Pick<SessionLedger, 'getNextSequences'>;
  clock: Clock;
  /** The hold after *Stop* that an earlier run left, and what keeps it for the next one. */
  saved: SavedHold | undefined;
  save: (hold: SavedHold | undefined) => void;
  reconnectWindowMs: () => number;
  /** How far viewers can rewind; read when a session begins. */
  liveWindowSeconds: () => number;
  /** Takes segments that the memory has no room for; without it they are dropped. */
  archive: SegmentArchive | undefined;
  /** Shared by all streams. */
  memory: MediaMemory;
  /** The wanted length of parts; read when a publisher comes. */
  partMs: () => number;
  /** The profiles that the next session is transcoded to. */
  profiles: () => readonly Profile[];
  startLadder: StartLadder;
  /** Without it, audio isn't metered. */
  startAudioMeter: StartAudioMeter | undefined;
  /** Called with what happens to the renditions, besides the stream's own log. */
  onLadderEvent: LadderOptions['onEvent'];
  /** Called after any visible change, and every second while on air. */
  onChange: () => void;
}
