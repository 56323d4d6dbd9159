import { z } from 'zod';
import { IngestFailure } from './ingest-failure.ts';
import { OneClickFailure } from './one-click-failure.ts';
import { Profile } from './profile.ts';

/** How bad something is; each is drawn as icon, word and colour. */
export const Severity = z.enum(['good', 'warn', 'bad']);
export type Severity = z.infer<typeof Severity>;

const EpochMs = z.number();

/**
 * Why a broadcast ended: `stopped` by its owner in the app, `encoder-stopped` by its encoder, which said goodbye, `terminated`
 * by a program over the interface, `ingest-lost` because the encoder did not come back in time, `service-crashed` because Tallylight
 * ended without closing, `encoder-failed` because our own encoder could not go on. In broadcasts of earlier versions `stopped` is the encoder's goodbye too, and `ingest-lost` a crash too.
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

/** Whether a stream is on air, as the large word says it. Times are epoch milliseconds. */
export const AirState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off-air'), endedAt: EpochMs.optional(), reason: EndReason.optional() }),
  z.object({
    kind: z.literal('connecting'),
    since: EpochMs,
    /** Media arrives, but no keyframe yet: nothing can be shown before it. */
    awaiting: z.literal('keyframe').optional(),
  }),
  z.object({
    kind: z.literal('on-air'),
    since: EpochMs,
    sessionId: z.string(),
    /** When media last arrived; present only while none has for more than 3 s. */
    silentSince: EpochMs.optional(),
  }),
  z.object({
    kind: z.literal('reconnecting'),
    /** When the broadcast began. */
    since: EpochMs,
    sessionId: z.string(),
    /** When the publisher was lost. */
    lostAt: EpochMs,
    /**
     * A publisher is back, and its first picture is awaited: the broadcast does not end meanwhile. `connected` sends nothing: no media
     * has come from it yet, or none for more than 3 s.
     */
    back: z.enum(['connected', 'sending']).optional(),
    /** When the broadcast ends unless the publisher is back; absent while it is. */
    until: EpochMs.optional(),
  }),
]);
export type AirState = z.infer<typeof AirState>;

/** What a one-click broadcast takes its picture and sound from. Screen, camera and microphone will join these. */
export const Source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('test-picture') }),
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(4096) }),
]);
export type Source = z.infer<typeof Source>;

/** Picture size and rate of a one-click encode; bitrates are those the field uses for them. */
export const EncodeQuality = z.enum(['720p30', '1080p30', '1080p60']);
export type EncodeQuality = z.infer<typeof EncodeQuality>;

/** What a one-click broadcast is at. */
export const OneClickKind = z.enum(['idle', 'starting', 'running', 'retrying', 'stopping', 'failed']);
export type OneClickKind = z.infer<typeof OneClickKind>;

/** The one-click broadcast of a stream, from ffmpeg to our own ingest. Times are epoch milliseconds. */
export const OneClickState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('starting'), source: Source, quality: EncodeQuality, since: EpochMs }),
  z.object({
    kind: z.literal('running'),
    source: Source,
    quality: EncodeQuality,
    since: EpochMs,
    /** Frames per second that ffmpeg encodes, and its speed as a multiple of real time. */
    encodeFps: z.number().optional(),
    encodeSpeed: z.number().optional(),
    /** How much encoded media waits to be sent, in milliseconds, and how many frames were dropped for it. */
    queueMs: z.number(),
    droppedFrames: z.int(),
  }),
  z.object({
    kind: z.literal('retrying'),
    source: Source,
    quality: EncodeQuality,
    since: EpochMs,
    attempt: z.int(),
    retryAt: EpochMs,
    failure: IngestFailure,
  }),
  z.object({ kind: z.literal('stopping') }),
  z.object({ kind: z.literal('failed'), source: Source, at: EpochMs, failure: OneClickFailure, stderr: z.array(z.string()) }),
]);
export type OneClickState = z.infer<typeof OneClickState>;

/** What is measured of the media that arrives. Absent is unknown, never 0. */
export const Meters = z.object({
  /** When these were measured, epoch milliseconds: they are greyed with their age after a drop. */
  measuredAt: EpochMs,
  bitrateBps: z.number().optional(),
  /** What the encoder says it sends, or one click was asked for: sound and picture together. */
  targetBitrateBps: z.number().optional(),
  fps: z.number().optional(),
  /** Frames of the last 60 s that did not come, and their part of those that should have (0 to 1). */
  droppedFrames: z.object({ count: z.int(), ratio: z.number() }).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  keyframeIntervalSeconds: z.number().optional(),
  /** RFC 6381 codec strings, like `avc1.64001f` and `mp4a.40.2`. */
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
  audioSampleRateHz: z.int().optional(),
  audioChannels: z.int().optional(),
  /** The track that does not come while the other does: viewers hear silence, or see a picture that stands still. */
  away: z.enum(['sound', 'picture']).optional(),
  /** What the encoder calls itself in `onMetaData`, word for word. */
  encoder: z.string().optional(),
  /** The encoder's name and version for people, like `OBS Studio 29.0.2`. */
  encoderName: z.string().optional(),
  /** Seconds from a publisher's connection to the first playable segment. */
  firstSegmentSeconds: z.number().optional(),
});
export type Meters = z.infer<typeof Meters>;

/** One rendition of a running broadcast: what was asked of it, and what it measures. Absent is unknown. */
export const RenditionView = z.object({
  /** The profile it is made from. */
  asked: Profile,
  /** Its folder below the playback id; absent while it has no place in the multivariant playlist. */
  name: z.string().optional(),
  /**
   * `shed`: left out because the computer could not keep up; it may return. `left-out`: by its owner, until they take it back.
   * `given-up`: not made again as long as its publisher stays.
   */
  state: z.enum(['waiting', 'running', 'shed', 'left-out', 'given-up']),
  /** Of its picture alone, as the profile asks for it. */
  bitrateBps: z.number().optional(),
  fps: z.number().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  /** Seconds from keyframe to keyframe, on average over its newest segments. */
  keyframeIntervalSeconds: z.number().optional(),
  /** Seconds of its last segment: renditions are cut at the source's keyframes. */
  segmentSeconds: z.number().optional(),
});
export type RenditionView = z.infer<typeof RenditionView>;

/**
 * Where time goes before a player has the media, in milliseconds; absent is not measured.
 *
 * With `fromCapture` the program date-times of the playlist are those of the capture clock, so that a player's distance from
 * them is glass to glass; without it they are those of arrival.
 */
export const LatencyView = z.object({
  fromCapture: z.boolean(),
  encodeMs: z.number().optional(),
  uploadMs: z.number().optional(),
  packagingMs: z.number().optional(),
});
export type LatencyView = z.infer<typeof LatencyView>;

/** A stream that was stopped in the app and refuses its own key until it is let in again; from then on, the encoder that is waited for. */
export const Hold = z.object({
  since: EpochMs,
  /** Whether an encoder that is not our own was on air, or waited for, when it was stopped. */
  isForeign: z.boolean(),
  /** Since when it accepts its key again. */
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

/** A broadcast that has ended, as the screens tell of it. */
export const EndedBroadcast = z.object({
  sessionId: z.string(),
  /** What the service's clock said when it began, and when it ended: it may have been set between them. */
  startedAt: EpochMs,
  endedAt: EpochMs,
  /** How long viewers had it: without the time that its encoder was gone. */
  onAirMs: z.number().min(0),
  /** For how long its encoder had been gone when it ended; absent where media came to the end. */
  goneMs: z.number().min(0).optional(),
  reason: EndReason,
  severity: Severity,
  /** The API key of the program that ended it. */
  by: z.string().optional(),
  /** What our own encoder failed of. */
  failure: OneClickFailure.optional(),
});
export type EndedBroadcast = z.infer<typeof EndedBroadcast>;

/** What a page's monitor sees of a stream. Counts and sums are of the broadcast it plays, since the monitor opened on it. */
export const PlaybackReport = z.object({
  /** `failed`: what comes could not be decoded, repairs and a fresh player did not help, and no picture has moved since; it tries on. `closed`: the monitor is gone, and what it saw says nothing any more. */
  state: z.enum(['playing', 'waiting', 'stalled', 'paused', 'failed', 'closed']),
  /** How long the picture has stood still by now. */
  holdSeconds: z.number().min(0).optional(),
  stalls: z.int().min(0),
  stalledSeconds: z.number().min(0),
  droppedFrames: z.int().min(0),
  decodedFrames: z.int().min(0),
  /** From the capture, or else the arrival, of what is on the screen until now. */
  behindSeconds: z.number().optional(),
  fps: z.number().min(0).optional(),
  /** The rendition that plays. */
  quality: z.string().max(200).optional(),
});
export type PlaybackReport = z.infer<typeof PlaybackReport>;
