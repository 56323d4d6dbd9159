import { z } from 'zod';
import { AwayPart } from './capture.ts';
import { EncodeChoice, EncodeSettings } from './encode-settings.ts';
import { IngestFailure } from './ingest-failure.ts';
import { OneClickFailure } from './one-click-failure.ts';
import { Profile } from './profile.ts';
import { Source } from './source.ts';

/** How bad something is; each is shown as icon, word and colour. */
export const Severity = z.enum(['good', 'warn', 'bad']);
export type Severity = z.infer<typeof Severity>;

/** A time: milliseconds since 1970 (UTC). */
export const EpochMs = z.number();

/**
 * Why a broadcast ended:
 *
 * - `stopped`: by its owner in the app
 * - `encoder-stopped`: by its encoder, which ended it properly
 * - `terminated`: by a program over the interface
 * - `ingest-lost`: the encoder did not come back in time
 * - `service-crashed`: Tallylight ended without closing
 * - `encoder-failed`: our own encoder could not continue
 *
 * In broadcasts of earlier versions, `stopped` also covers `encoder-stopped`, and `ingest-lost` a crash.
 */
export const EndReason = z.enum([
  'stopped',
  'encoder-stopped',
  'ingest-lost',
  'encoder-failed',
  'terminated',
  'deleted',
  'suspended',
  'service-closed',
  'service-crashed',
]);
export type EndReason = z.infer<typeof EndReason>;

/** Why nothing of what arrives can be played: its picture has no keyframe, or none of it can be used. */
export const Unplayable = z.enum(['no-keyframe', 'unusable']);
export type Unplayable = z.infer<typeof Unplayable>;

/** Whether a stream is on air, as the large word shows it. Times are epoch milliseconds. */
export const AirState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off-air'), endedAt: EpochMs.optional(), reason: EndReason.optional() }),
  z.object({
    kind: z.literal('connecting'),
    since: EpochMs,
    /**
     * `keyframe`: media arrives, but nothing can be shown yet. `playlist`: another region has taken our media for a while, but its playlist
     * can't be read from here.
     */
    awaiting: z.enum(['keyframe', 'playlist']).optional(),
  }),
  z.object({
    kind: z.literal('on-air'),
    since: EpochMs,
    sessionId: z.string(),
    /** Since when nothing new can be played; only set after 3 s without media, or with `unplayable`. */
    silentSince: EpochMs.optional(),
    /** Media arrives, but can't be played. */
    unplayable: Unplayable.optional(),
    /** When another region's playlist was last read; set only once it can no longer be read from here. */
    unseenSince: EpochMs.optional(),
  }),
  z.object({
    kind: z.literal('reconnecting'),
    /** When the broadcast began. */
    since: EpochMs,
    sessionId: z.string(),
    /** When the publisher was lost. */
    lostAt: EpochMs,
    /**
     * A publisher is back, but its first frame hasn't arrived; the broadcast doesn't end meanwhile. `connected` means it has sent no
     * media for more than 3 s.
     */
    back: z.enum(['connected', 'sending']).optional(),
    /** Its media can't be played. */
    unplayable: Unplayable.optional(),
    /** When the broadcast ends unless the publisher is back; absent once it is. */
    until: EpochMs.optional(),
    /** The publisher was disconnected because the stream has a new key, which it doesn't know; absent once it is back. */
    isKeyRenewed: z.literal(true).optional(),
    /** It was stopped here, or failed and was dismissed, but its remote service hasn't ended it yet. */
    isEndedHere: z.literal(true).optional(),
  }),
]);
export type AirState = z.infer<typeof AirState>;

/** The phase of a one-click broadcast. */
export const OneClickKind = z.enum(['idle', 'starting', 'running', 'retrying', 'stopping', 'failed']);
export type OneClickKind = z.infer<typeof OneClickKind>;

/**
 * The one-click broadcast of a stream, from its source to our ingest, another region's or a remote service's. Times are epoch
 * milliseconds.
 */
export const OneClickState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  /** `settings`: the settings that `encode` results in; absent until they are decided. */
  z.object({
    kind: z.literal('starting'),
    source: Source,
    encode: EncodeChoice,
    settings: EncodeSettings.optional(),
    since: EpochMs,
  }),
  z.object({
    kind: z.literal('running'),
    source: Source,
    encode: EncodeChoice,
    settings: EncodeSettings,
    since: EpochMs,
    /** The parts of the source that viewers miss. */
    away: z.array(AwayPart),
    /** Frames per second that ffmpeg encodes, and its speed as a multiple of real time, both over the last 10 s. */
    encodeFps: z.number().optional(),
    encodeSpeed: z.number().optional(),
    /** Bits per second of media sent to the ingest, over the last 5 s; absent until a connection has lasted a second. */
    sentBps: z.number().optional(),
    /** The video's bitrate while the way to the ingest carries less than the settings ask for; absent at the full bitrate. */
    videoBitrateBps: z.number().optional(),
    /** The same, less a raise that may have to be undone; absent at the full bitrate. */
    provenBitrateBps: z.number().optional(),
    /** The video's bitrate can't be lowered further. */
    isLowestBitrate: z.literal(true).optional(),
    /** The encoder's bitrate couldn't be changed when that was last tried. */
    isBitrateKept: z.literal(true).optional(),
    /** How long encoded media waits to be sent and on its way, in milliseconds, and frames of the last minute dropped because of it. */
    queueMs: z.number(),
    droppedFrames: z.int(),
    /** Since when the ingest has been connected without a dropped frame that makes players stall. */
    steadySince: EpochMs,
    /** Bytes sent that the ingest has not acknowledged; absent until it first does. */
    inFlightBytes: z.int().optional(),
  }),
  z.object({
    kind: z.literal('retrying'),
    source: Source,
    encode: EncodeChoice,
    settings: EncodeSettings,
    since: EpochMs,
    away: z.array(AwayPart),
    attempt: z.int(),
    retryAt: EpochMs,
    failure: IngestFailure,
  }),
  z.object({ kind: z.literal('stopping'), source: Source, encode: EncodeChoice, settings: EncodeSettings.optional() }),
  z.object({ kind: z.literal('failed'), source: Source, at: EpochMs, failure: OneClickFailure, stderr: z.array(z.string()) }),
]);
export type OneClickState = z.infer<typeof OneClickState>;

/** The protocols that encoders publish by. */
export const PublishProtocol = z.enum(['RTMP', 'RTMPS']);
export type PublishProtocol = z.infer<typeof PublishProtocol>;

/** Measurements of the media that arrives. Absent means unknown, never 0. */
export const Meters = z.object({
  /** When these were measured, epoch milliseconds. After a drop they are greyed out with their age. */
  measuredAt: EpochMs,
  bitrateBps: z.number().optional(),
  /** The bitrate that the encoder announces or one click was given: audio and video together. */
  targetBitrateBps: z.number().optional(),
  fps: z.number().optional(),
  /**
   * Frames missing in the last 60 s, and their share of those expected (0 to 1). `isRepeated`: they were lost more than once, with 5 s or
   * more between losses.
   */
  droppedFrames: z.object({ count: z.int(), ratio: z.number(), isRepeated: z.literal(true).optional() }).optional(),
  /** Fewer frames than announced arrive, evenly spaced: the source makes fewer, or the encoder drops every other one. */
  isSlower: z.literal(true).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  /** The longest interval of the last 30 s. */
  keyframeIntervalSeconds: z.number().optional(),
  /** The interval is still running: the next keyframe is overdue. */
  isKeyframeOverdue: z.literal(true).optional(),
  /** RFC 6381 codec strings, like `avc1.64001f` and `mp4a.40.2`. */
  videoCodec: z.string().optional(),
  /** Phones and some browsers know the video's codec, but not this profile of it. */
  hasRareProfile: z.literal(true).optional(),
  audioCodec: z.string().optional(),
  audioSampleRateHz: z.int().optional(),
  audioChannels: z.int().optional(),
  /** The track that is missing while the other arrives: viewers hear silence or see a still picture. */
  away: z.enum(['sound', 'picture']).optional(),
  /** Video arrives, but no keyframe has, so none of it can be shown. */
  isWithoutKeyframe: z.literal(true).optional(),
  /** Sound arrives, but none of it can be played: its timestamps are too far from those of the picture. */
  isSoundApart: z.literal(true).optional(),
  /** The protocol it arrives by; absent if another computer receives it. */
  protocol: PublishProtocol.optional(),
  /** What the encoder calls itself in its metadata (RTMP: in `onMetaData`), verbatim. */
  encoder: z.string().optional(),
  /** The encoder's name and version for people, like `OBS Studio 29.0.2`. */
  encoderName: z.string().optional(),
  /** Seconds from a publisher's connection to the first playable segment. */
  firstSegmentSeconds: z.number().optional(),
});
export type Meters = z.infer<typeof Meters>;

/** One rendition of a running broadcast: its profile and its measurements. Absent means unknown. */
export const RenditionView = z.object({
  /** The profile it is made from. */
  asked: Profile,
  /** Its folder below the playback id; absent while it has no place in the multivariant playlist. */
  name: z.string().optional(),
  /**
   * `shed`: dropped because the computer could not keep up; it may return. `left-out`: dropped by its owner until they turn it
   * on again. `resting`: ffmpeg kept failing; it is tried again within minutes. `given-up`: it can't be encoded. It begins
   * once ffmpeg and an encoder are found, if that was the reason; otherwise not while its publisher stays.
   */
  state: z.enum(['waiting', 'running', 'shed', 'left-out', 'resting', 'given-up']),
  /** The bitrate of the video alone, as its profile sets it. */
  bitrateBps: z.number().optional(),
  fps: z.number().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  /** Average seconds between keyframes, over its newest segments. */
  keyframeIntervalSeconds: z.number().optional(),
  /** Duration of its last segment, in seconds: renditions are cut at the source's keyframes. */
  segmentSeconds: z.number().optional(),
});
export type RenditionView = z.infer<typeof RenditionView>;

/**
 * Time spent before a player has the media, in milliseconds; absent means not measured.
 *
 * With `fromCapture`, the playlist's program date-times follow the capture clock, so a player's distance from them is glass to
 * glass. Otherwise they are times of arrival.
 */
export const LatencyView = z.object({
  fromCapture: z.boolean(),
  encodeMs: z.number().optional(),
  uploadMs: z.number().optional(),
  packagingMs: z.number().optional(),
});
export type LatencyView = z.infer<typeof LatencyView>;

/**
 * A stream that was stopped in the app and refuses its own key until its owner allows it again. After that, `letInAt` is set
 * until its encoder returns.
 */
export const Hold = z.object({
  /** Tells it from the stream's other holds. Unlike the times, it stays the same when the clock is set. */
  id: z.number(),
  since: EpochMs,
  /** Whether *Stop* ended another program's broadcast, on air or waiting for its encoder. */
  isForeign: z.boolean(),
  /** When the stream began to accept its key again. */
  letInAt: EpochMs.optional(),
  /** When an encoder last tried, and what it calls itself. */
  lastTriedAt: EpochMs.optional(),
  software: z.string().optional(),
});
export type Hold = z.infer<typeof Hold>;

/** Whether the stream refuses its own key. */
export function isHeld(hold: Hold | undefined): boolean {
  return hold !== undefined && hold.letInAt === undefined;
}

/** A broadcast that has ended, as the screens show it. */
export const EndedBroadcast = z.object({
  sessionId: z.string(),
  /** The service's clock at its start and at its end; the clock may have been set in between. */
  startedAt: EpochMs,
  endedAt: EpochMs,
  /** How long viewers had it, without the time its encoder was gone. */
  onAirMs: z.number().min(0),
  /** How long its encoder had been gone when it ended; absent if media came until the end. */
  goneMs: z.number().min(0).optional(),
  reason: EndReason,
  severity: Severity,
  /** The API key of the program that ended it. */
  by: z.string().optional(),
  /** Why our own encoder failed. */
  failure: OneClickFailure.optional(),
});
export type EndedBroadcast = z.infer<typeof EndedBroadcast>;

/** What a page's monitor sees of a stream. Counts and sums are of the broadcast it plays, since the monitor opened on it. */
export const PlaybackReport = z.object({
  /**
   * `failed`: the page lacks the codecs, or the media could not be decoded and neither repairs nor a new player helped; no frame has
   * moved since, and it keeps trying. `closed`: the monitor is gone, and its report no longer counts.
   */
  state: z.enum(['playing', 'waiting', 'stalled', 'paused', 'failed', 'closed']),
  /** How long the picture has been frozen. */
  holdSeconds: z.number().min(0).optional(),
  stalls: z.int().min(0),
  stalledSeconds: z.number().min(0),
  droppedFrames: z.int().min(0),
  decodedFrames: z.int().min(0),
  /** Seconds since what is on screen was captured or, failing that, arrived. */
  behindSeconds: z.number().optional(),
  /** Seconds behind the farthest place in the playlist where it should play; absent while the viewer has rewound. */
  lateSeconds: z.number().optional(),
  fps: z.number().min(0).optional(),
  /** The rendition that plays. */
  quality: z.string().max(200).optional(),
});
export type PlaybackReport = z.infer<typeof PlaybackReport>;
