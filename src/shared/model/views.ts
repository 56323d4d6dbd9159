import { z } from 'zod';
import { EncoderName, EncoderTrial } from './encoder.ts';
import {
  AirState,
  EndedBroadcast,
  EndReason,
  Hold,
  LatencyView,
  Meters,
  OneClickKind,
  OneClickState,
  RenditionView,
} from './live.ts';
import { LogLine } from './log-line.ts';
import { Refusal } from './refusal.ts';
import { Stream } from './stream.ts';
import { StageReport, Verdict } from './verdict.ts';

/** A stream as the app's own screens see it: without its stream key, with its air state. */
export const StreamView = Stream.omit({ streamKey: true })
  .extend({
    air: AirState,
    /** Its last broadcast, where that was lost and its owner has not dismissed that. */
    lostSessionId: z.string().optional(),
    /** What one click does on it; absent while it is idle. */
    oneClick: OneClickKind.exclude(['idle']).optional(),
  })
  .meta({ id: 'StreamView' });
export type StreamView = z.infer<typeof StreamView>;

/**
 * What a watcher of all streams hears: `all` of them first, newest first, then only what changes. Streams among the `changes` that are
 * not known yet are new, and newer than those that are; the newest comes first.
 */
export const StreamsEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all'), streams: z.array(StreamView) }),
  z.object({ kind: z.literal('changes'), streams: z.array(StreamView), deleted: z.array(z.string()) }),
]);
export type StreamsEvent = z.infer<typeof StreamsEvent>;

/** Everything Studio shows of one stream that changes while it is open. */
export const StreamLive = z.object({
  /** The service's clock when this was said, epoch milliseconds: ages are counted from it. */
  now: z.number(),
  stream: StreamView,
  oneClick: OneClickState,
  /** Present while the stream refuses its own key after *Stop*, and while an encoder that was let in is waited for. */
  hold: Hold.optional(),
  /** Encoders that were refused in the last 10 minutes, newest first; with an unknown key they concern every stream off air. */
  refusals: z.array(Refusal),
  /** A broadcast that nobody meant to end, until it is dismissed or the next one is on air. */
  lost: EndedBroadcast.optional(),
  /** The latest broadcast that has ended. */
  lastBroadcast: EndedBroadcast.optional(),
  /** Absent until this stream has been on air since the service started. */
  meters: Meters.optional(),
  verdict: Verdict.optional(),
  stages: z.array(StageReport),
  /** One per profile, in their order; empty off air and without profiles. */
  renditions: z.array(RenditionView),
  latency: LatencyView.optional(),
  /** Newest first. */
  log: z.array(LogLine),
  /** The counters of the running (or, off air, the latest) broadcast. */
  session: z
    .object({
      id: z.string(),
      sourceSegments: z.int(),
      sourceSegmentsDuration: z.number(),
      transcodedSegments: z.int(),
      transcodedSegmentsDuration: z.number(),
    })
    .optional(),
});
export type StreamLive = z.infer<typeof StreamLive>;

/** One broadcast in Studio's list. */
export const SessionView = z.object({
  id: z.string(),
  createdAt: z.int(),
  lastSeen: z.int(),
  isActive: z.boolean(),
  endReason: EndReason.optional(),
  /** The API key of the program that ended it. */
  endedBy: z.string().optional(),
  sourceSegments: z.int(),
  sourceSegmentsDuration: z.number(),
  transcodedSegments: z.int(),
  transcodedSegmentsDuration: z.number(),
});
export type SessionView = z.infer<typeof SessionView>;

/** What the frame of every screen needs to know of the service. */
export const ServiceInfo = z.object({
  version: z.string(),
  apiBaseUrl: z.string(),
  /** What encoders are given; with a service domain it need not lead here (yet). */
  ingestBaseUrl: z.string(),
  /** The same ingest as this computer reaches it. */
  localIngestBaseUrl: z.string(),
  /** What viewers are given; with a service domain it need not lead here from this computer. */
  playbackBaseUrl: z.string(),
  /** The same playback as this computer reaches it: what the monitor of the desktop app plays. */
  localPlaybackBaseUrl: z.string(),
  httpPort: z.int(),
  rtmpPort: z.int(),
  dataFolder: z.string(),
  regionCode: z.string(),
  secrets: z.enum(['os', 'memory', 'file']),
  ffmpeg: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('found'),
      path: z.string(),
      version: z.string(),
      from: z.enum(['TALLYLIGHT_FFMPEG', 'ffmpeg-static', 'PATH']),
    }),
    z.object({ kind: z.literal('missing'), sentence: z.string() }),
  ]),
  /** What this computer can encode renditions with, the one in use first named; absent until that has been tried. */
  encoders: z.object({ used: EncoderName.optional(), trials: z.array(EncoderTrial) }).optional(),
  /** What the user ought to know since start-up: another port was taken, a damaged store was set aside. */
  notices: z.array(z.string()),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

/** A folder's entries for choosing a media file: folders first, then media files, by name. */
export const FolderListing = z.object({
  folder: z.string(),
  parent: z.string().optional(),
  entries: z.array(
    z.object({ name: z.string(), path: z.string(), kind: z.enum(['folder', 'file']), sizeBytes: z.number().optional() }),
  ),
});
export type FolderListing = z.infer<typeof FolderListing>;
