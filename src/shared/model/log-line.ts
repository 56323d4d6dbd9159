import { z } from 'zod';
import { BitrateEvent } from './bitrate-event.ts';
import { EncodeFailure } from './encode-failure.ts';
import { EncoderName } from './encoder.ts';
import { IngestFailure } from './ingest-failure.ts';
import { RegionName } from './ingest-pair.ts';
import { LadderEvent } from './ladder-event.ts';
import { EndReason, Severity } from './live.ts';
import { OneClickFailure } from './one-click-failure.ts';
import { LossCause, PublisherIdentity } from './refusal.ts';
import { Sleep } from './sleep.ts';
import { TrackKind } from './track-kind.ts';
import { Verdict } from './verdict.ts';

/** The readers of a live broadcast besides its source's packager. */
export const FeedReaderName = z.enum(['ladder', 'audio-meter']);
export type FeedReaderName = z.infer<typeof FeedReaderName>;

/** Something that happened on a stream; `describeLogEvent` puts it in words. */
export const LogEvent = z.discriminatedUnion('code', [
  /** Time since its publisher connected or, for a broadcast to another computer, since it was started. */
  z.object({ code: z.literal('on-air'), afterMs: z.number() }),
  /** Time since its encoder was lost. */
  z.object({ code: z.literal('back-on-air'), afterMs: z.number() }),
  z.object({ code: z.literal('took-over'), encoder: PublisherIdentity }),
  /** `waitMs`: how long we wait for it to come back. */
  z.object({
    code: z.literal('encoder-lost'),
    when: z.enum(['before-on-air', 'on-air', 'back']),
    cause: LossCause,
    waitMs: z.number().optional(),
  }),
  /** `goneMs`: how long its encoder had been gone. */
  z.object({
    code: z.literal('ended'),
    reason: EndReason,
    /** The API key of the program that ended it. */
    by: z.string().optional(),
    /** Why our own encoder failed. */
    failure: OneClickFailure.optional(),
    goneMs: z.number().optional(),
  }),
  z.object({ code: z.literal('slept'), sleep: Sleep }),
  /** Some of the encoder's media is skipped; `fault` is the parser's message, in English. */
  z.object({ code: z.literal('media-malformed'), fault: z.string() }),
  /** A part of the service did not take a broadcast's media in time, and continues at a keyframe. */
  z.object({ code: z.literal('fell-behind'), reader: FeedReaderName, missedUnits: z.number() }),
  /** Viewers can rewind less than the setting says. */
  z.object({ code: z.literal('rewind-shortened'), diskFull: z.boolean() }),
  /**
   * A lasting verdict is logged at its beginning and at its end, a brief one once, with `trouble-passed`. So is the end of one that lasted
   * until the broadcast was over.
   */
  z.object({ code: z.literal('trouble-began'), verdict: Verdict }),
  z.object({ code: z.literal('trouble-ended'), verdict: Verdict, afterMs: z.number() }),
  z.object({ code: z.literal('trouble-passed'), verdict: Verdict, afterMs: z.number() }),
  z.object({ code: z.literal('ladder'), event: LadderEvent }),
  z.object({ code: z.literal('go-live-failed'), failure: OneClickFailure }),
  /** The owner changed the source of a one-click broadcast. */
  z.object({ code: z.literal('source-changed') }),
  /** Its hardware failed, and x264 takes over. */
  z.object({ code: z.literal('encoder-fell-back'), encoder: EncoderName }),
  /** `waitMs`: how long until the encoder of this track is started again; absent if at once. */
  z.object({
    code: z.literal('encoder-restarted'),
    track: TrackKind,
    failure: EncodeFailure,
    waitMs: z.number().optional(),
  }),
  /** The ingest was never reached; it is tried again. */
  z.object({ code: z.literal('ingest-unreached'), failure: IngestFailure }),
  z.object({ code: z.literal('ingest-lost'), failure: IngestFailure }),
  z.object({ code: z.literal('bitrate'), event: BitrateEvent }),
  /** The broadcast's region can't be used any more; the next nearest is offered or, if automatic, used. */
  z.object({
    code: z.literal('region-failed'),
    region: RegionName,
    next: RegionName,
    isOffer: z.boolean(),
    failure: IngestFailure.optional(),
  }),
  /** Ingest and playback are now another region's. */
  z.object({ code: z.literal('region-changed'), from: RegionName, to: RegionName, isAutomatic: z.boolean() }),
  /** A region refused the broadcast after a change; the broadcast keeps trying where it was. */
  z.object({ code: z.literal('region-refused'), region: RegionName, back: RegionName, failure: IngestFailure }),
]);
export type LogEvent = z.infer<typeof LogEvent>;
/** The event with this code. */
export type LogEventOf<Code extends LogEvent['code']> = Extract<LogEvent, { code: Code }>;

/** One line of "What happened". */
export const LogLine = z.object({ id: z.int(), at: z.number(), severity: Severity, event: LogEvent });
export type LogLine = z.infer<typeof LogLine>;
