import { isDeepStrictEqual } from 'node:util';
import { keepRunning } from '../../shared/keep-running.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { type EncodeTools, findEncodeTools, noTools } from './encode-tools.ts';

/** How long until ffmpeg is looked for again: it may be being installed, or the computer was too busy to start it. */
const lookAgainMs = 3_000;

/** A search for ffmpeg, running or over. */
export interface ToolSearch {
  /** What is known now. */
  readonly current: EncodeTools;
  /** What is known once it has been looked for; never rejects. */
  find(): Promise<EncodeTools>;
  /** Calls the listener when another outcome is known, until the result is called. */
  onFound(listener: () => void): () => void;
}

/** Looks for ffmpeg in the background until there is one: broadcasts wait for the first look, the start does not. `closing` ends it. */
export function startFindingTools(dataFolder: string, closing: AbortSignal): ToolSearch {
  const changes = createEventSource<void>();
  const looked = Promise.withResolvers<void>();
  let current: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'searching' } } };
  const look = async () => {
    const found = await findEncodeTools(dataFolder).catch((error: unknown): EncodeTools => {
      const failed: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'search-failed' } } };
      // It would fail again and again.
      if (!isDeepStrictEqual(current, failed)) reportFault(error, 'looking for ffmpeg');
      return failed;
    });
    const isNews = !isDeepStrictEqual(found, current);
    current = found;
    looked.resolve();
    if (isNews) changes.emit();
    return found.ffmpeg.kind;
  };
  keepRunning(look, {
    signal: closing,
    nextAfterMs: (kind) => (kind === 'missing' ? lookAgainMs : undefined),
  }).catch((error: unknown) => reportFault(error, 'looking for ffmpeg'));
  return {
    get current() {
      return current;
    },
    async find() {
      await looked.promise;
      return current;
    },
    onFound: changes.on,
  };
}
