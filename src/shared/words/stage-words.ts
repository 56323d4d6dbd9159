import { assertNever } from '../assert-never.ts';
import { formatBitrate, formatCount } from '../format-count.ts';
import type { MonitorOwner, StageReport } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { formatFrames, formatPercent, formatSeconds, formatTimes } from './quantities.ts';

/** The short text that a stage shows beside its name. */
export function describeStage(report: StageReport): string {
  switch (report.code) {
    case 'capturing':
      return 'capturing';
    case 'part-away':
      return `${parts[report.part]} missing`;
    case 'capturing-sound':
      return `capturing · ${soundTroubles[report.trouble]}`;
    case 'encoding-sound':
      return soundTroubles[report.trouble];
    case 'encode-failed':
      return 'failed';
    case 'encoding': {
      const speed = report.speed === undefined ? '' : ` · ${report.speed.toFixed(2)} × real time`;
      return `${withUnit(report.fps.toFixed(1), 'fps')}${speed}`;
    }
    case 'not-connected':
      return 'not connected';
    case 'sending': {
      const dropped = report.droppedFrames > 0 ? ` · ${formatCount(report.droppedFrames)} dropped` : '';
      const coarse = report.coarseBps === undefined ? '' : ` · video at ${formatBitrate(report.coarseBps)}`;
      return `queue ${withUnit(Math.round(report.queueMs), 'ms')}${dropped}${coarse}`;
    }
    case 'receiving':
      return 'receiving';
    case 'receiving-badly':
      // Between losses, all frames arrive.
      return report.lostRatio === undefined
        ? `receiving ${arrivalTroubles[report.trouble]}`
        : `receiving · ${formatPercent(report.lostRatio)} of frames lost`;
    case 'waiting':
      return 'waiting';
    case 'sends-nothing':
      return 'connected, sending nothing';
    case 'nothing-yet':
      return `nothing for ${withUnit(Math.round(report.forMs / 1000), 's')}`;
    case 'no-encoder':
      return 'no encoder';
    case 'without-video':
      return 'no video to transcode';
    case 'some-left-out':
      return `${report.missing} of ${report.of} not made`;
    case 'left-out-by-owner':
      return 'turned off by you';
    case 'starting':
      return `${countRenditions(report.renditions)} starting`;
    case 'keeping-up':
      return `${countRenditions(report.renditions)} keeping up`;
    case 'packaging':
      return `${formatSeconds(report.segmentSeconds)} segments`;
    case 'monitored':
      return `${owners[report.monitor]}${describePlayback(report)}`;
    default:
      return assertNever(report);
  }
}

function countRenditions(count: number): string {
  return count === 1 ? '1 rendition' : `${count} renditions`;
}

const arrivalTroubles: Readonly<Record<Extract<StageReport, { code: 'receiving-badly' }>['trouble'], string>> = {
  'nothing-plays': 'nothing that plays',
  'encoders-take-turns': 'from two encoders in turn',
  'no-picture': 'sound, no picture',
  'no-sound': 'video, no sound',
  'never-sound': 'video, no sound',
  'sound-apart': 'sound timed apart',
  'frames-missing': 'fewer frames than announced',
  'arrives-slowly': 'too slowly',
  'arrives-fast': 'too fast',
  'arrives-with-pauses': 'with pauses',
  'keyframes-far': 'too few keyframes',
  'profile-rare': 'a profile that few players decode',
};

const parts: Readonly<Record<Extract<StageReport, { code: 'part-away' }>['part'], string>> = {
  picture: 'picture',
  inset: 'picture in the corner',
  sound: 'sound',
};

const soundTroubles: Readonly<Record<Extract<StageReport, { code: 'capturing-sound' | 'encoding-sound' }>['trouble'], string>> =
  {
    silent: 'silent',
    inverted: 'one side inverted',
    'one-sided': 'sound on one side',
    clipping: 'clipping',
    'loudness-off': 'loudness off target',
    'sound-drifts': 'sound and picture drift apart',
    'device-drifts': "device's clock is off",
  };

/** Whose monitor it is, unless it's the one on the page that shows it. */
const owners: Readonly<Record<MonitorOwner, string>> = {
  own: '',
  'other-page': 'another page ',
  'any-page': 'a page ',
};

function describePlayback(report: Extract<StageReport, { code: 'monitored' }>): string {
  const { state, holdSeconds, behindSeconds, recent } = report;
  if (state === 'paused' || state === 'failed') return state;
  const held = holdSeconds === undefined ? '' : ` for ${formatSeconds(holdSeconds)}`;
  return [
    state === 'playing' ? 'playing' : `${state === 'waiting' ? 'waiting' : 'frozen'}${held}`,
    ...(state === 'playing' && behindSeconds !== undefined ? [`${formatSeconds(behindSeconds)} behind`] : []),
    ...(recent.stalls > 0 ? [`stalled ${formatTimes(recent.stalls)}, ${formatSeconds(recent.stalledSeconds)}`] : []),
    ...(recent.droppedFrames > 0 ? [describeDrops(recent)] : []),
  ].join(' · ');
}

function describeDrops({ droppedFrames, droppedRatio }: { droppedFrames: number; droppedRatio: number }): string {
  return `${formatFrames(droppedFrames)} not shown${droppedRatio >= 0.01 ? ` (${formatPercent(droppedRatio)})` : ''}`;
}
