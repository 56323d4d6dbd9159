import { assertNever } from '../assert-never.ts';
import { formatDuration } from '../format-duration.ts';
import type { FeedReaderName, LogEvent } from '../model/log-line.ts';
import type { Verdict } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { describeBitrateEvent } from './bitrate-words.ts';
import { describeEnd } from './end-words.ts';
import { describeFailure } from './failure-words.ts';
import { describeLadderEvent } from './ladder-words.ts';
import { describeLossCause } from './loss-words.ts';
import { describePublisher } from './publisher-words.ts';
import { formatFrames, formatSeconds, formatWait } from './quantities.ts';
import { describeRegionEvent } from './region-words.ts';
import { describeSleep } from './sleep-words.ts';
import { titleOf } from './verdict-words.ts';

const readers: Readonly<Record<FeedReaderName, string>> = { ladder: 'transcoder', 'audio-meter': 'audio meter' };

/**
 * The text of a line in "What happened".
 *
 * @param clockOffsetMs how far the service's clock is ahead of the reader's
 */
export function describeLogEvent(event: LogEvent, clockOffsetMs: number): string {
  switch (event.code) {
    case 'on-air':
      return `On air after ${formatSeconds(event.afterMs / 1000)}.`;
    case 'back-on-air':
      return `Back on air after ${formatLasted(event.afterMs)}.`;
    case 'took-over':
      return `${describePublisher(event.encoder)} took over with the same stream key.`;
    case 'encoder-lost': {
      const outlook = event.waitMs === undefined ? '' : ` Waiting ${formatWholeSeconds(event.waitMs)} for it to come back.`;
      return `${losses[event.when]} ${describeLossCause(event.cause)}${outlook}`;
    }
    case 'ended':
      return describeEnd(event);
    case 'slept':
      return describeSleep(event.sleep, clockOffsetMs);
    case 'media-malformed':
      return `The encoder sent media that can't be played, so it was skipped: ${event.fault}`;
    case 'fell-behind':
      return `The ${readers[event.reader]} fell behind and missed ${formatFrames(event.missedUnits)}. Viewers of the source notice nothing.`;
    case 'rewind-shortened': {
      const why = event.diskFull ? 'The disk is almost full' : "Segments can't be saved to disk";
      return `${why}, so viewers can't rewind as far as you set. Live playback continues.`;
    }
    case 'trouble-began':
      return `${quoteTitle(event.verdict)} began.`;
    case 'trouble-ended':
      return `${quoteTitle(event.verdict)} ended after ${formatLasted(event.afterMs)}.`;
    case 'trouble-passed':
      return `${quoteTitle(event.verdict)} for ${formatLasted(event.afterMs)}.`;
    case 'ladder':
      return describeLadderEvent(event.event);
    case 'go-live-failed':
      return describeFailure(event.failure);
    case 'source-changed':
      return 'The source was changed.';
    case 'encoder-fell-back':
      return `The encoder ${event.encoder} failed. The broadcast continues with libx264, which uses more CPU.`;
    case 'encoder-restarted':
      return describeRestart(event);
    case 'ingest-unreached':
      return `Can't connect to the ingest yet: ${describeFailure(event.failure)}`;
    case 'ingest-lost':
      return `Lost the ingest: ${describeFailure(event.failure)}`;
    case 'bitrate':
      return describeBitrateEvent(event.event);
    case 'region-failed':
    case 'region-changed':
    case 'region-refused':
      return describeRegionEvent(event);
    default:
      return assertNever(event);
  }
}

function describeRestart({ track, failure, waitMs }: Extract<LogEvent, { code: 'encoder-restarted' }>): string {
  const encoder = `${track} encoder`;
  const next =
    waitMs === undefined ? `The ${encoder} was restarted.` : `Restarting the ${encoder} in ${formatWait(waitMs / 1000)}.`;
  return `${describeFailure(failure)} ${next}`;
}

const losses = {
  'before-on-air': 'The encoder left before viewers saw anything.',
  'on-air': 'The encoder was lost.',
  back: 'The encoder came back and was lost again.',
};

/** A verdict's title as it was shown; a name quoted in it gets the inner marks. */
function quoteTitle(verdict: Verdict): string {
  return `“${titleOf(verdict).replaceAll('“', '‘').replaceAll('”', '’')}”`;
}

/** A trouble or a loss may last for hours, or less than a second. */
function formatLasted(ms: number): string {
  return formatDuration(Math.max(1, ms / 1000));
}

function formatWholeSeconds(ms: number): string {
  return withUnit(Math.round(ms / 1000), 's');
}
