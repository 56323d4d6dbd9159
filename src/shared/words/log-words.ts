import { assertNever } from '../assert-never.ts';
import type { LogEvent } from '../model/log-line.ts';
import { describeEncoder } from './encoder-words.ts';
import { describeEnd } from './end-words.ts';
import { describeFailure } from './failure-words.ts';
import { describeLadderEvent } from './ladder-words.ts';
import { describeLossCause } from './loss-words.ts';
import { formatSeconds } from './quantities.ts';
import { describeSleep } from './sleep-words.ts';
import { describeVerdict } from './verdict-words.ts';

/** What a line of "What happened" says. */
export function describeLogEvent(event: LogEvent): string {
  switch (event.code) {
    case 'on-air':
      return `On air after ${formatSeconds(event.afterMs / 1000)}.`;
    case 'back-on-air':
      return `Back on air after ${formatWholeSeconds(event.afterMs)}.`;
    case 'took-over':
      return `${describeEncoder(event.encoder)} took over with the same stream key.`;
    case 'encoder-lost': {
      const outlook = event.waitMs === undefined ? '' : ` Waiting ${formatWholeSeconds(event.waitMs)} for it to come back.`;
      return `${losses[event.when]} ${describeLossCause(event.cause)}${outlook}`;
    }
    case 'ended':
      return describeEnd(event);
    case 'slept':
      return describeSleep(event.sleep);
    case 'media-malformed':
      return `The encoder sent media that cannot be played; it is left out: ${event.fault}`;
    case 'rewind-shortened': {
      const why = event.diskFull ? 'The disk is full' : 'Segments cannot be kept on disk';
      return `${why}: viewers can rewind less than you have set. Live playback continues.`;
    }
    case 'trouble-began':
      return `“${describeVerdict(event.verdict).title}” began.`;
    case 'trouble-ended':
      return `“${describeVerdict(event.verdict).title}” ended after ${formatWholeSeconds(event.afterMs)}.`;
    case 'trouble-passed':
      return `“${describeVerdict(event.verdict).title}” for ${formatWholeSeconds(event.afterMs)}.`;
    case 'ladder':
      return describeLadderEvent(event.event);
    case 'go-live-failed':
      return describeFailure(event.failure);
    case 'encoder-fell-back':
      return `The encoder ${event.encoder} failed: the broadcast continues with libx264, which uses more of the processor.`;
    case 'encoder-restarted':
      return `${describeFailure(event.failure)} It was started again.`;
    case 'ingest-lost':
      return `The ingest was lost: ${describeFailure(event.failure)}`;
    default:
      return assertNever(event);
  }
}

const losses = {
  'before-on-air': 'The encoder left before viewers had a picture.',
  'on-air': 'The encoder was lost.',
  back: 'The encoder came back and was lost again.',
};

function formatWholeSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
