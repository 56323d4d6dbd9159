import { z } from 'zod';
import { EncoderName, EncoderTrial } from './encoder.ts';
import { IngestPair } from './ingest-pair.ts';
import {
  AirState,
  EndedBroadcast,
  EndReason,
  EpochMs,
  Hold,
  LatencyView,
  Meters,
  OneClickKind,
  OneClickState,
  RenditionView,
  Severity,
} from './live.ts';
import { LogLine } from './log-line.ts';
import { MissingFfmpeg } from './missing-ffmpeg.ts';
import { OneClickChoice } from './one-click-choice.ts';
import { Refusal } from './refusal.ts';
import { RouteView } from './region.ts';
import { RemoteFailure } from './remote-failure.ts';
import { ServiceNotice } from './service-notice.ts';
import { SettingSources } from './settings.ts';
import { counterShape, Stream } from './stream.ts';
import { StageReport, Verdict } from './verdict.ts';

/** A stream as the app's own screens see it: without its stream key, with its air state. */
export const StreamView = Stream.omit({ streamKey: true })
  .extend({
    air: AirState,
    /**
     * Its last broadcast, if it was lost and the owner hasn't dismissed the notice. An encoder may have connected in vain since. `isEarlier`:
     * the one-click broadcast that is retrying is another one, which has not been on air yet.
     */
    lost: z.object({ sessionId: z.string(), endedAt: EpochMs, isEarlier: z.literal(true).optional() }).optional(),
    /** How bad the verdict on its broadcast is; absent while that is good, and unless it is on air. */
    severity: Severity.exclude(['good']).optional(),
    /** The phase of its one-click broadcast; absent while idle. */
    oneClick: OneClickKind.exclude(['idle']).optional(),
    /** The remote service that it is on; absent for streams of this computer. Its `id` then names the service, too. */
    serviceId: z.string().optional(),
    /** The remote service doesn't answer: everything about the stream is from before. */
    isUnheard: z.boolean().optional(),
  })
  .meta({ id: 'StreamView' });
export type StreamView = z.infer<typeof StreamView>;

/**
 * What a watcher of all streams gets: first `all`, newest first, then only changes. Unknown streams in `changes` are new and go
 * before the known ones, newest first.
 */
export const StreamsEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all'), streams: z.array(StreamView) }),
  z.object({ kind: z.literal('changes'), streams: z.array(StreamView), deleted: z.array(z.string()) }),
]);
export type StreamsEvent = z.infer<typeof StreamsEvent>;

/** Everything in Studio that changes while it is open. */
export const StreamLive = z.object({
  /** The service's clock at sending, epoch milliseconds; ages are counted from it. */
  now: z.number(),
  stream: StreamView,
  oneClick: OneClickState,
  /** What it last went live with from this computer; absent if it never did. */
  lastChoice: OneClickChoice.optional(),
  /** Set while the stream refuses its own key after *Stop*, and while an encoder that was allowed again is awaited. */
  hold: Hold.optional(),
  /** Encoders refused in the last 10 minutes, newest first. Unknown keys are listed for every stream that is off air. */
  refusals: z.array(Refusal),
  /** A broadcast that was lost, until it is dismissed or the next one is on air. */
  lost: EndedBroadcast.optional(),
  /** The latest broadcast that has ended. */
  lastBroadcast: EndedBroadcast.optional(),
  /** Absent until this stream has been on air since the service started. */
  meters: Meters.optional(),
  /** Where the one-click broadcast goes, if that is another region, or if this one has failed. */
  region: RouteView.optional(),
  verdict: Verdict.optional(),
  stages: z.array(StageReport),
  /** One per profile, in their order; empty off air and without profiles. */
  renditions: z.array(RenditionView),
  latency: LatencyView.optional(),
  /** Newest first. */
  log: z.array(LogLine),
  /** What is known of the remote service that the stream is on. */
  service: z
    .object({
      name: z.string(),
      /** The base URLs of the region in use, or else of the nearest one; absent until known. */
      pair: IngestPair.optional(),
      /** Why it didn't answer last time. */
      failure: RemoteFailure.optional(),
      /** When it last answered. */
      heardAt: z.number().optional(),
      /** How far its clock is ahead of ours, in milliseconds. */
      clockAheadMs: z.number(),
    })
    .optional(),
  /** The counters of the running or, off air, latest broadcast. */
  session: z.object({ id: z.string(), ...counterShape }).optional(),
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
  /** How long viewers had it, without the time its encoder was gone at its end; absent while it runs, or if unknown. */
  onAirMs: z.number().min(0).optional(),
  ...counterShape,
});
export type SessionView = z.infer<typeof SessionView>;

/** What every screen needs to know about the service. */
export const ServiceInfo = z.object({
  version: z.string(),
  /** The API for programs. With a service domain it need not lead here (yet). */
  apiBaseUrl: z.string(),
  /** The same API as this computer reaches it. */
  localApiBaseUrl: z.string(),
  /** The ingest for encoders. With a service domain it need not lead here (yet). */
  ingestBaseUrl: z.string(),
  /** The same ingest as this computer reaches it. */
  localIngestBaseUrl: z.string(),
  /** The playback URL for viewers. With a service domain it need not lead here from this computer. */
  playbackBaseUrl: z.string(),
  /** The same playback as this computer reaches it; the desktop app's monitor plays this. */
  localPlaybackBaseUrl: z.string(),
  /** It is bound to all addresses of the computer, so others reach it even where its URLs have a loopback address. */
  isOnAllAddresses: z.literal(true).optional(),
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
      from: z.enum(['TALLYLIGHT_FFMPEG', 'ffmpeg-static', 'PATH', 'usual-folder']),
    }),
    z.object({ kind: z.literal('missing'), reason: MissingFfmpeg }),
  ]),
  /** The encoders this computer can use for renditions, with the one in use; absent until they have been tried. */
  encoders: z.object({ used: EncoderName.optional(), trials: z.array(EncoderTrial) }).optional(),
  /** The certificate of HTTPS and RTMPS, and when it expires (epoch milliseconds); absent: they are off. */
  tls: z.object({ certificatePath: z.string(), expiresAt: z.number() }).optional(),
  /** The origins of playback in other regions, which pages may play from. */
  regionOrigins: z.array(z.string()),
  settingSources: SettingSources,
  /** What the user should know about start-up, such as another port in use or a damaged store set aside. */
  notices: z.array(ServiceNotice),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

/** The purpose of chosen files. Files with video also serve for their sound. */
export const FileKind = z.enum(['video', 'picture', 'sound']);
export type FileKind = z.infer<typeof FileKind>;

/** The folder above the roots of Windows, whose entries are the drives. */
export const drivesFolder = '';

/** A folder's entries for choosing a file: folders first, then files of the kind asked for, by name. */
export const FolderListing = z.object({
  folder: z.string(),
  parent: z.string().optional(),
  entries: z.array(
    z.object({ name: z.string(), path: z.string(), kind: z.enum(['folder', 'file']), sizeBytes: z.number().optional() }),
  ),
});
export type FolderListing = z.infer<typeof FolderListing>;
