import { assertNever } from '../assert-never.ts';
import { capitalise } from '../capitalise.ts';
import { formatBitrate, formatKilobits } from '../format-count.ts';
import type { VerdictOf } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { chooseLess, orLess } from './advice-words.ts';
import { formatFrames } from './quantities.ts';
import type { VerdictWords } from './verdict-words.ts';

type UploadVerdict = VerdictOf<'encode-slow' | 'upload-slow' | 'upload-dropped' | 'upload-tight' | 'picture-coarse'>;

/** What is wrong with one click's encoding or upload. */
export function describeUploadTrouble(verdict: UploadVerdict): VerdictWords {
  switch (verdict.code) {
    case 'encode-slow':
      return { title: "This computer can't encode in real time", sentence: adviseSlowEncode(verdict) };
    case 'upload-slow':
      return { title: 'Upload is too slow', sentence: describeQueue(verdict) };
    case 'upload-dropped':
      return {
        title: 'Viewers missed some frames',
        sentence: `${tellDropped(verdict.droppedFrames)}, because the upload was too slow. It is keeping up again. If this happens again, ${chooseLess}.`,
      };
    case 'upload-tight':
      return { title: 'Upload is barely keeping up', sentence: describeQueue(verdict) };
    case 'picture-coarse':
      return { title: 'The picture is coarse', sentence: describeCoarsePicture(verdict) };
    default:
      return assertNever(verdict);
  }
}

function adviseSlowEncode({ speed, canShrink, remedy }: VerdictOf<'encode-slow'>): string {
  const todo = `Close other programs${remedy === undefined ? '' : ' or turn off a rendition'}.`;
  return `It encodes at ${speed.toFixed(2)} × real time, so viewers see it stutter. ${todo}${canShrink ? ` ${orLess}` : ''}`;
}

function describeQueue({ queueMs, droppedFrames, ...bitrate }: VerdictOf<'upload-slow' | 'upload-tight'>): string {
  const dropped = droppedFrames > 0 ? `, and ${tellDropped(droppedFrames)}` : '';
  return `${withUnit(Math.round(queueMs), 'ms')} of media is waiting to be sent${dropped}. ${adviseOnBitrate(bitrate)}`;
}

function describeCoarsePicture({ bitrateBps, chosenBps }: VerdictOf<'picture-coarse'>): string {
  return `Your upload has room for only ${formatKilobits(bitrateBps)} of ${formatBitrate(chosenBps)} of video. Use a wired connection or stop other uploads: the bitrate then rises by itself. ${orLess}`;
}

const restartLower = `${capitalise(chooseLess)}.`;

function adviseOnBitrate({ isLowest, isKept }: Pick<VerdictOf<'upload-slow'>, 'isLowest' | 'isKept'>): string {
  if (isLowest) return `The bitrate is already as low as it gets. ${restartLower}`;
  return isKept
    ? `The encoder's bitrate can't be lowered here. ${restartLower}`
    : `The bitrate is being lowered to fit; if this continues, ${chooseLess}.`;
}

function tellDropped(frames: number): string {
  return `${formatFrames(frames)} ${frames === 1 ? 'was' : 'were'} dropped in the last minute`;
}
