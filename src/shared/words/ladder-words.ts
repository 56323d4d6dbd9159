import { assertNever } from '../assert-never.ts';
import { isolateName } from '../isolate-name.ts';
import type { LadderEvent, LadderEventOf } from '../model/ladder-event.ts';
import { describeFailure } from './failure-words.ts';
import { formatFrames, formatTimes, formatWait } from './quantities.ts';

/** What happened to a ladder, in a sentence or two. */
export function describeLadderEvent(event: LadderEvent): string {
  switch (event.code) {
    case 'started':
      return `Encoding ${quote(event.names)}.`;
    case 'shed':
      return `${nameRenditions(event.names)} paused: this computer can't encode ${itOrThem(event.names)} in real time.`;
    case 'returned':
      return `${nameRenditions(event.names)} back: this computer has room for ${itOrThem(event.names)} again.`;
    case 'left-out':
      return `${nameRenditions(event.names)} turned off, as you asked.`;
    case 'taken-back':
      return `${nameRenditions(event.names)} turned back on, as you asked.`;
    case 'overflow':
      return `The renditions skipped ${formatFrames(event.frames)} because ffmpeg couldn't keep up.`;
    case 'crashed':
      return describeCrash(event);
    case 'rested':
      return describeRest(event);
    case 'given-up':
      return describeEnd(event.why);
    default:
      return assertNever(event);
  }
}

function describeCrash({ failure, restart }: LadderEventOf<'crashed'>): string {
  const sentence = describeFailure(failure);
  if (restart === undefined) return sentence;
  return `${sentence} It restarts at the next keyframe${restart.encoder === undefined ? '' : `, with ${restart.encoder}`}.`;
}

function describeRest({ count, last, waitMs }: LadderEventOf<'rested'>): string {
  const often = count === 1 ? 'again' : `${formatTimes(count)} within a minute`;
  return `The renditions failed ${often}: ${describeFailure(last)} Viewers get only the source. Trying again in ${formatWait(waitMs / 1000)}.`;
}

function describeEnd(why: LadderEventOf<'given-up'>['why']): string {
  switch (why.kind) {
    case 'no-ffmpeg':
      return "There are no renditions because ffmpeg isn't available. Viewers get only the source.";
    case 'no-encoder':
      return 'There are no renditions because no encoder works on this computer. Viewers get only the source.';
    case 'no-decoder':
      return `There are no renditions because your ffmpeg can't decode ${why.codec}. Viewers get only the source. Choose H.264 in the encoder's settings, or install a newer ffmpeg.`;
    default:
      return assertNever(why);
  }
}

/** The subject and its verb. */
function nameRenditions(names: readonly string[]): string {
  return names.length === 1 ? `The rendition ${quote(names)} is` : `The renditions ${quote(names)} are`;
}

function itOrThem(names: readonly string[]): string {
  return names.length === 1 ? 'it' : 'them';
}

function quote(names: readonly string[]): string {
  return names.map((name) => `“${isolateName(name)}”`).join(', ');
}
