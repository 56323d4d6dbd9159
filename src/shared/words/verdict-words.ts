import { assertNever } from '../assert-never.ts';
import { isolateName } from '../isolate-name.ts';
import type { RemoteFailure } from '../model/remote-failure.ts';
import type { Verdict, VerdictOf } from '../model/verdict.ts';
import { describeArrivalTrouble } from './arrival-verdict-words.ts';
import { describeAwayPart } from './capture-words.ts';
import { describeFailure } from './failure-words.ts';
import { describePlayTrouble } from './play-verdict-words.ts';
import { formatSeconds } from './quantities.ts';
import { formatRegion } from './region-name.ts';
import { describeRemoteFailure } from './remote-failure-words.ts';
import { describeSleep } from './sleep-words.ts';
import { describeSound } from './sound-words.ts';
import { describeUploadTrouble } from './upload-verdict-words.ts';

/** A verdict in words: a title, which stays the same while its numbers change, and what to know and do. */
export interface VerdictWords {
  title: string;
  sentence?: string;
}

/** Only a verdict's title. */
export function titleOf(verdict: Verdict): string {
  // No title has a time.
  return describeVerdict(verdict, 0).title;
}

/**
 * A verdict as people read it.
 *
 * @param clockOffsetMs how far the service's clock is ahead of the reader's
 */
export function describeVerdict(verdict: Verdict, clockOffsetMs: number): VerdictWords {
  switch (verdict.code) {
    case 'good':
      return { title: 'All good' };
    case 'go-live-failed':
      return { title: 'Go live failed', sentence: describeFailure(verdict.failure) };
    case 'ingest-retry':
      return {
        title: verdict.hasBeenLive ? 'Reconnecting to the ingest' : "Can't connect to the ingest",
        sentence: "Tallylight keeps trying. If that doesn't help, stop and go live again.",
      };
    case 'region-stopped':
      return {
        title: `Viewers get nothing new from ${formatRegion(verdict.region)}`,
        sentence: `Its ingest takes your media, but its playlist has stopped. ${
          verdict.ofService
            ? 'Check the service. If this continues, stop and go live again.'
            : 'Check Tallylight there. If this continues, choose another region and go live again.'
        }`,
      };
    case 'region-unseen':
      return {
        title: `Can't tell whether ${formatRegion(verdict.region)} plays it`,
        sentence: `Its ingest takes your media, but its playlist can't be read from here: viewers may still see you. ${
          verdict.ofService
            ? 'Check the service, or stop and go live again.'
            : 'Check Tallylight there, or stop and choose another region.'
        }`,
      };
    case 'slept':
      return {
        title: verdict.sleep.kind === 'slept' ? 'The computer slept' : 'Tallylight was frozen',
        sentence: describeSleep(verdict.sleep, clockOffsetMs),
      };
    case 'source-away':
    case 'device-drifts':
      return describeAwayPart(verdict.away, { isOnAir: true });
    case 'silent':
    case 'inverted':
    case 'one-sided':
    case 'clipping':
    case 'loudness-off':
    case 'sound-drifts':
      return describeSound(verdict);
    case 'renditions-shed':
      return describeShed(verdict);
    case 'no-renditions':
      return { title: 'No renditions', sentence: adviseWithoutRenditions(verdict) };
    case 'service-stalled':
      return {
        title: 'The service gets nothing new',
        sentence:
          'Its ingest takes your media, but its counters have stopped. If the monitor has stopped too, stop and go live again.',
      };
    case 'service-silent': {
      const media = verdict.isSending
        ? 'Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.'
        : 'The stream is shown as last known.';
      return {
        title: nameSilence(verdict.failure),
        sentence: `${describeRemoteFailure(verdict.failure, { wasFine: true })} ${media}`,
      };
    }
    case 'service-inactive':
      return {
        title: "The service doesn't show the stream as active",
        sentence: `Its ingest has taken your media for ${formatSeconds(verdict.forMs / 1000)}. If the monitor stays empty, stop and go live again.`,
      };
    case 'service-holds':
      return {
        title: "The service hasn't ended the broadcast",
        sentence:
          'This computer sends nothing any more, but the service still calls the stream active. If this continues, press Stop, which asks the service to end it.',
      };
    case 'renditions-behind':
      return {
        title: 'The service makes too few renditions',
        sentence: `It made ${verdict.made} of the last ${verdict.expected} segments. Viewers still get the source. If this continues, use fewer or smaller renditions.`,
      };
    case 'encoder-back':
    case 'encoder-gone':
    case 'nothing-arrives':
    case 'nothing-plays':
    case 'encoders-take-turns':
    case 'no-sound':
    case 'no-picture':
    case 'never-sound':
    case 'sound-apart':
    case 'sound-only':
    case 'frames-missing':
    case 'arrives-slowly':
    case 'arrives-fast':
    case 'arrives-with-pauses':
    case 'keyframes-far':
    case 'profile-rare':
      return describeArrivalTrouble(verdict);
    case 'encode-slow':
    case 'upload-slow':
    case 'upload-dropped':
    case 'upload-tight':
    case 'picture-coarse':
      return describeUploadTrouble(verdict);
    case 'play-resumes':
    case 'play-failed':
    case 'play-stalls':
    case 'play-drops':
    case 'play-behind':
      return describePlayTrouble(verdict);
    default:
      return assertNever(verdict);
  }
}

function nameSilence({ code }: RemoteFailure): string {
  if (code === 'key-refused' || code === 'key-lost') return "The service's API key doesn't work any more";
  if (code === 'too-many-requests') return 'The service is limiting requests';
  if (code === 'no-such-stream') return 'The service has no such stream any more';
  return unusableAnswers.has(code) ? "The service's answers can't be used" : "The service doesn't answer";
}

/** Something answers, but not as the interface says. An error of the service itself (5xx) doesn't answer the question. */
const unusableAnswers: ReadonlySet<RemoteFailure['code']> = new Set<RemoteFailure['code']>([
  'not-http',
  'redirected',
  'not-offered',
  'refused',
  'not-json',
  'too-large',
  'nonsense',
  'no-ingest',
]);

function describeShed({ names, remedy }: VerdictOf<'renditions-shed'>): VerdictWords {
  const todo = remedy === undefined ? 'Close other programs' : 'Close other programs or turn off another rendition';
  return {
    title: names.length === 1 ? 'A rendition is paused' : `${names.length} renditions are paused`,
    sentence: `This computer can't keep up with ${names.map(isolateName).join(', ')}. Viewers still get everything else. ${todo}; ${names.length === 1 ? 'it resumes' : 'they resume'} when there is room.`,
  };
}

function adviseWithoutRenditions({ isResting }: VerdictOf<'no-renditions'>): string {
  const next = isResting
    ? 'Tallylight tries again within minutes.'
    : "They start automatically once the cause is fixed. If they don't, stop and go live again.";
  return `Viewers get only the source. “What happened” says why. ${next}`;
}
