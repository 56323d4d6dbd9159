import { z } from 'zod';
import { AwayPart } from './capture.ts';
import { OfService, RegionName } from './ingest-pair.ts';
import { Severity, Unplayable } from './live.ts';
import { OneClickFailure } from './one-click-failure.ts';
import { RemoteFailure } from './remote-failure.ts';
import { Sleep } from './sleep.ts';

const good = z.literal('good');
const warn = z.literal('warn');
const bad = z.literal('bad');
const warnOrBad = z.enum(['warn', 'bad']);

/** Whose monitor it is: the asking page's own, another page's, or any page's if no page asks. */
export const MonitorOwner = z.enum(['own', 'other-page', 'any-page']);
export type MonitorOwner = z.infer<typeof MonitorOwner>;

/** The remedy if every viewer is affected. */
const ForEveryone = z.enum(['lower-bitrate', 'smaller-picture', 'check-network', 'usual-codecs']);
export type ForEveryone = z.infer<typeof ForEveryone>;

/** Why a monitor's picture stalled: now, or repeatedly in the last minute. */
const Stall = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-picture') }),
  z.object({ kind: z.literal('frozen') }),
  z.object({ kind: z.literal('repeated'), count: z.int(), seconds: z.number() }),
]);

/**
 * Where sound goes wrong: `capture` is our own capture for one click, `encoder` another program that sends its own sound.
 */
export const SoundStage = z.enum(['capture', 'encoder']);
export type SoundStage = z.infer<typeof SoundStage>;

/** The media waiting to be sent. `isLowest`: the bitrate can't be lowered further. `isKept`: the encoder couldn't be given a lower one. */
const queue = {
  queueMs: z.number(),
  droppedFrames: z.int(),
  isLowest: z.literal(true).optional(),
  isKept: z.literal(true).optional(),
};

/** The remedy that a button offers. */
const Remedy = z.enum(['fewer-renditions']);

/** The one thing to say about a stream: what is wrong and where. `describeVerdict` adds the words and the remedy. */
export const Verdict = z.discriminatedUnion('code', [
  z.object({ code: z.literal('good'), severity: good }),
  z.object({ code: z.literal('go-live-failed'), severity: bad, failure: OneClickFailure }),
  /** `hasBeenLive`: viewers have seen something of this broadcast. */
  z.object({ code: z.literal('ingest-retry'), severity: bad, hasBeenLive: z.boolean() }),
  /** `isOwn`: it is our own encoder, and the ingest takes its media again. */
  z.object({ code: z.literal('encoder-back'), severity: warn, isOwn: z.literal(true).optional() }),
  /** `isOwn`: it is our own encoder, which is being restarted or connected again. `isKeyRenewed`: another one has the old stream key. */
  z.object({ code: z.literal('encoder-gone'), severity: bad, isOwn: z.boolean(), isKeyRenewed: z.literal(true).optional() }),
  /** `isBack`: its encoder was lost and has reconnected, but has sent nothing since. `isOwn`: it is our own encoder. */
  z.object({ code: z.literal('nothing-arrives'), severity: bad, isBack: z.boolean(), isOwn: z.boolean() }),
  /** Media arrives, but nothing that can be played. `isBack`: its encoder was lost, and viewers have had nothing of it since. */
  z.object({ code: z.literal('nothing-plays'), severity: bad, why: Unplayable, isBack: z.boolean() }),
  /** The broadcast goes to a region on another computer, which takes the media, but its playlist has stopped. */
  z.object({ code: z.literal('region-stopped'), severity: bad, region: RegionName, ofService: OfService }),
  /** The region takes the media, but its playlist can't be read from here, so nobody knows whether viewers get it. */
  z.object({ code: z.literal('region-unseen'), severity: warn, region: RegionName, ofService: OfService }),
  z.object({ code: z.literal('slept'), severity: warn, sleep: Sleep }),
  z.object({ code: z.literal('encoders-take-turns'), severity: bad }),
  /** `speed` is a multiple of real time; `canShrink`: a lower quality can be chosen. */
  z.object({
    code: z.literal('encode-slow'),
    severity: warnOrBad,
    speed: z.number(),
    canShrink: z.boolean(),
    remedy: Remedy.optional(),
  }),
  z.object({ code: z.literal('upload-slow'), severity: bad, ...queue }),
  z.object({ code: z.literal('upload-tight'), severity: warn, ...queue }),
  /** No media is waiting any more, but in the last minute frames were dropped because too much was. */
  z.object({ code: z.literal('upload-dropped'), severity: warn, droppedFrames: z.int() }),
  /** The way carries so little that the video's bitrate was lowered from the chosen one to one at which its picture is coarse. */
  z.object({ code: z.literal('picture-coarse'), severity: warn, bitrateBps: z.number(), chosenBps: z.number() }),
  /** `isOwn`: it is our own encoder, which is being restarted. */
  z.object({ code: z.literal('no-sound'), severity: bad, isOwn: z.literal(true).optional() }),
  /** `isWithoutKeyframe`: video arrives, but none of it can be shown. */
  z.object({
    code: z.literal('no-picture'),
    severity: bad,
    isWithoutKeyframe: z.literal(true).optional(),
    isOwn: z.literal(true).optional(),
  }),
  /** Bad only in place of a bad trouble that leaves viewers the sound; so is `silent`. */
  z.object({ code: z.literal('never-sound'), severity: warnOrBad }),
  /** Its timestamps are so far from those of the picture that none of it can be played. */
  z.object({ code: z.literal('sound-apart'), severity: bad }),
  /** Normal for a radio show: a missing picture looks the same as none intended. */
  z.object({ code: z.literal('sound-only'), severity: good }),
  /** A part of our own source is away: viewers see black, or hear silence, in its place. */
  z.object({ code: z.literal('source-away'), severity: warnOrBad, away: AwayPart }),
  /**
   * The audio track arrives, but is silent. `mayBeWithheld`: a page captures the computer's sound, and macOS gives silence without an
   * error if it doesn't allow that. `isUnchosen`: our own source has no sound, because nobody chose one.
   */
  z.object({
    code: z.literal('silent'),
    severity: warnOrBad,
    stage: SoundStage,
    mayBeWithheld: z.boolean(),
    isUnchosen: z.literal(true).optional(),
  }),
  /** One side is the inverse of the other: on one loudspeaker, both cancel out. */
  z.object({ code: z.literal('inverted'), severity: warn, stage: SoundStage }),
  /** `without`: the side with nothing on it. */
  z.object({ code: z.literal('one-sided'), severity: warn, stage: SoundStage, without: z.enum(['left', 'right']) }),
  /** `isLimited`: the limiter of our own mix is on, so the clipping comes from encoding dense sound. */
  z.object({ code: z.literal('clipping'), severity: warn, stage: SoundStage, isLimited: z.boolean() }),
  /** Integrated loudness of the last minute of sound. */
  z.object({
    code: z.literal('loudness-off'),
    severity: warn,
    stage: SoundStage,
    loudnessLufs: z.number(),
    targetLufs: z.number(),
  }),
  /** Sound and picture drift apart as they arrive; by now sound is late by `driftMs`, or early if that is negative. `isOwn`: it is our own encoder. */
  z.object({ code: z.literal('sound-drifts'), severity: warn, driftMs: z.number(), isOwn: z.boolean() }),
  /** A device's clock is too far off ours: only cuts or gaps keep its sound with the picture. */
  z.object({ code: z.literal('device-drifts'), severity: warn, away: AwayPart }),
  /**
   * `isSlower`: the frames are evenly spaced, but further apart than announced, as from a slower source. `lostRatio`: frames are lost again
   * and again; the share of the last minute's, 0 to 1. By now all may arrive.
   */
  z.object({
    code: z.literal('frames-missing'),
    severity: warnOrBad,
    fps: z.number(),
    nominalFps: z.number(),
    from: z.enum(['encoder', 'one-click']),
    isSlower: z.literal(true).optional(),
    lostRatio: z.number().optional(),
  }),
  /** No frames are missing, but they arrive more slowly than they play: `pace` is the share of real time. */
  z.object({
    code: z.literal('arrives-slowly'),
    severity: warnOrBad,
    pace: z.number(),
    from: z.enum(['encoder', 'one-click']),
  }),
  /** Media arrives faster than it plays: `pace` is a multiple of real time. */
  z.object({ code: z.literal('arrives-fast'), severity: warnOrBad, pace: z.number() }),
  /**
   * Nothing arrives for a second or more, again and again: how often in the last minute, and for how long in total. `areLosses`: in each
   * pause the encoder was gone.
   */
  z.object({
    code: z.literal('arrives-with-pauses'),
    severity: warnOrBad,
    count: z.int(),
    seconds: z.number(),
    from: z.enum(['encoder', 'one-click']),
    areLosses: z.literal(true).optional(),
  }),
  /** `names` are profile names. */
  z.object({ code: z.literal('renditions-shed'), severity: warn, names: z.array(z.string()), remedy: Remedy.optional() }),
  /** `isResting`: they are tried again within minutes. */
  z.object({ code: z.literal('no-renditions'), severity: warn, isResting: z.literal(true).optional() }),
  /** `bad`: viewers who join may give up before they see a picture. `isOverdue`: the next keyframe is overdue. */
  z.object({
    code: z.literal('keyframes-far'),
    severity: warnOrBad,
    intervalSeconds: z.number(),
    isOverdue: z.literal(true).optional(),
  }),
  /** Phones and some browsers can't decode the profile of the encoder's video. `warn`: they have renditions instead. */
  z.object({ code: z.literal('profile-rare'), severity: warnOrBad }),
  /** A remote service's ingest takes our media, but its counters have stopped. */
  z.object({ code: z.literal('service-stalled'), severity: bad }),
  /** A remote service's interface doesn't answer. `isSending`: our media still goes to its ingest. */
  z.object({ code: z.literal('service-silent'), severity: warn, failure: RemoteFailure, isSending: z.boolean() }),
  /** Its ingest takes our media, but its interface says for `forMs` that the stream isn't active. */
  z.object({ code: z.literal('service-inactive'), severity: warn, forMs: z.number() }),
  /** A broadcast from here is over, and nothing is sent any more, but its service still calls the stream active. */
  z.object({ code: z.literal('service-holds'), severity: warn }),
  /** Segments of renditions that a remote service has made of the broadcast, and those that it should have. */
  z.object({ code: z.literal('renditions-behind'), severity: warn, made: z.int(), expected: z.int() }),
  /** Media arrives again, and the monitor of the page that asks doesn't show it yet. */
  z.object({ code: z.literal('play-resumes'), severity: warn }),
  z.object({ code: z.literal('play-failed'), severity: bad, monitor: MonitorOwner, forEveryone: ForEveryone }),
  z.object({
    code: z.literal('play-stalls'),
    severity: warnOrBad,
    monitor: MonitorOwner,
    stall: Stall,
    forEveryone: ForEveryone,
  }),
  /** `ratio`: share of the last minute's frames, 0 to 1. */
  z.object({ code: z.literal('play-drops'), severity: warnOrBad, monitor: MonitorOwner, ratio: z.number() }),
  z.object({ code: z.literal('play-behind'), severity: warnOrBad, monitor: MonitorOwner, forEveryone: ForEveryone }),
]);
export type Verdict = z.infer<typeof Verdict>;
export type VerdictCode = Verdict['code'];
/** The verdict with this code. */
export type VerdictOf<Code extends VerdictCode> = Extract<Verdict, { code: Code }>;

/** The verdicts on how media arrives. */
const ArrivalTrouble = z.enum([
  'nothing-plays',
  'encoders-take-turns',
  'no-picture',
  'no-sound',
  'never-sound',
  'sound-apart',
  'frames-missing',
  'arrives-slowly',
  'arrives-fast',
  'arrives-with-pauses',
  'keyframes-far',
  'profile-rare',
]);
/** The verdicts on sound. */
const SoundTrouble = z.enum(['silent', 'inverted', 'one-sided', 'clipping', 'loudness-off']);

/** The state of one stage from camera to viewer, with the numbers behind it. Stages that aren't measured have no report. */
export const StageReport = z.discriminatedUnion('code', [
  z.object({ stage: z.literal('capture'), code: z.literal('capturing'), severity: good }),
  z.object({ stage: z.literal('capture'), code: z.literal('part-away'), severity: warnOrBad, part: AwayPart.shape.part }),
  /** The captured sound has this trouble; `device-drifts` is a device's clock. */
  z.object({
    stage: z.literal('capture'),
    code: z.literal('capturing-sound'),
    severity: warn,
    trouble: SoundTrouble.or(z.literal('device-drifts')),
  }),
  z.object({ stage: z.literal('encode'), code: z.literal('encode-failed'), severity: bad }),
  /** `speed` is a multiple of real time. */
  z.object({
    stage: z.literal('encode'),
    code: z.literal('encoding'),
    severity: Severity,
    fps: z.number(),
    speed: z.number().optional(),
  }),
  /** The sound that an encoder sends has this trouble, whether the encoder is ours or another program's. */
  z.object({
    stage: z.literal('encode'),
    code: z.literal('encoding-sound'),
    severity: warn,
    trouble: SoundTrouble.or(z.literal('sound-drifts')),
  }),
  z.object({ stage: z.literal('upload'), code: z.literal('not-connected'), severity: bad }),
  z.object({
    stage: z.literal('upload'),
    code: z.literal('sending'),
    severity: Severity,
    queueMs: z.number(),
    droppedFrames: z.int(),
    /** The video's bitrate while nothing waits because it is so low that the picture is coarse. */
    coarseBps: z.number().optional(),
  }),
  z.object({ stage: z.literal('ingest'), code: z.literal('receiving'), severity: good }),
  /** Media is missing or late; the code is that of its verdict, and so is the share of the last minute's frames that keep getting lost. */
  z.object({
    stage: z.literal('ingest'),
    code: z.literal('receiving-badly'),
    severity: warnOrBad,
    trouble: ArrivalTrouble,
    lostRatio: z.number().optional(),
  }),
  z.object({ stage: z.literal('ingest'), code: z.literal('waiting'), severity: good }),
  z.object({ stage: z.literal('ingest'), code: z.literal('sends-nothing'), severity: bad }),
  z.object({ stage: z.literal('ingest'), code: z.literal('nothing-yet'), severity: bad, forMs: z.number() }),
  z.object({ stage: z.literal('ingest'), code: z.literal('no-encoder'), severity: bad }),
  z.object({ stage: z.literal('transcode'), code: z.literal('without-video'), severity: good }),
  z.object({
    stage: z.literal('transcode'),
    code: z.literal('some-left-out'),
    severity: Severity,
    missing: z.int(),
    of: z.int(),
  }),
  z.object({ stage: z.literal('transcode'), code: z.literal('left-out-by-owner'), severity: good }),
  z.object({ stage: z.literal('transcode'), code: z.literal('keeping-up'), severity: good, renditions: z.int() }),
  /** No rendition has made a picture yet. */
  z.object({ stage: z.literal('transcode'), code: z.literal('starting'), severity: good, renditions: z.int() }),
  z.object({ stage: z.literal('package'), code: z.literal('packaging'), severity: Severity, segmentSeconds: z.number() }),
  z.object({
    stage: z.literal('play'),
    code: z.literal('monitored'),
    severity: Severity,
    monitor: MonitorOwner,
    state: z.enum(['playing', 'waiting', 'stalled', 'paused', 'failed']),
    holdSeconds: z.number().optional(),
    behindSeconds: z.number().optional(),
    /** Over the last minute. */
    recent: z.object({ stalls: z.int(), stalledSeconds: z.number(), droppedFrames: z.int(), droppedRatio: z.number() }),
  }),
]);
export type StageReport = z.infer<typeof StageReport>;
