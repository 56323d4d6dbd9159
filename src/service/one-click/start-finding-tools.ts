import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { keepRunning } from '../../shared/keep-running.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { type EncodeTools, noTools } from './encode-tools.ts';

/** The pause between searches for ffmpeg: it may be being installed, or the computer may have been too busy to start it. */
const lookAgainMs = 3_000;
/** How often the files found are checked, since an upgrade may remove or replace them. A check reads a few file times. */
const defaultCheckMs = 10_000;

/** A search for ffmpeg, running or over. */
export interface ToolSearch {
  /** The current outcome. */
  readonly current: EncodeTools;
  /** Resolves with the outcome once a search is over. Searches again if a file found has changed; never rejects. */
  find(): Promise<EncodeTools>;
  /** Calls the listener when the outcome changes, until the returned function is called. */
  onFound(listener: () => void): () => void;
}

/**
 * Looks for ffmpeg in the background until it is found, and again when its file is removed or replaced. Broadcasts wait for the first
 * search; the service's start does not. `closing` ends it.
 */
export function startFindingTools(
  findTools: () => Promise<EncodeTools>,
  closing: AbortSignal,
  { checkMs = defaultCheckMs }: { checkMs?: number } = {},
): ToolSearch {
  const changes = createEventSource<void>();
  const looked = Promise.withResolvers<void>();
  let current: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'searching' } } };
  /** Modification times of the files found, as of the search. */
  let fileTimes: FileTimes = [];
  let looking: Promise<void> | undefined;
  const lookOnce = async () => {
    const found = await findTools().catch((error: unknown): EncodeTools => {
      const failed: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'search-failed' } } };
      // Report a repeated failure once.
      if (!isDeepStrictEqual(current, failed)) reportFault(error, 'looking for ffmpeg');
      return failed;
    });
    fileTimes = await readFileTimes(found);
    const isNews = !isDeepStrictEqual(found, current);
    current = found;
    looked.resolve();
    if (isNews) changes.emit();
  };
  /** Looks again only if the files that were found have changed. Concurrent callers share one look. */
  const look = async () => {
    if (current.ffmpeg.kind === 'found' && isDeepStrictEqual(await readFileTimes(current), fileTimes)) return;
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    await looking;
  };
  keepRunning(look, {
    signal: closing,
    nextAfterMs: () => (current.ffmpeg.kind === 'missing' ? lookAgainMs : checkMs),
  }).catch((error: unknown) => reportFault(error, 'looking for ffmpeg'));
  return {
    get current() {
      return current;
    },
    async find() {
      await looked.promise;
      if (current.ffmpeg.kind === 'found' && !closing.aborted) await look();
      return current;
    },
    onFound: changes.on,
  };
}

/** Files, and when each was modified, in milliseconds since 1970; undefined if it can't be read, for example because the file is gone. */
type FileTimes = readonly (readonly [path: string, modifiedAtMs: number | undefined])[];

/** Reads the file times of the ffmpegs found, following links, since packages often install a link. */
function readFileTimes({ ffmpeg, deviceFfmpegs }: EncodeTools): Promise<FileTimes> {
  const paths = new Set([...(ffmpeg.kind === 'found' ? [ffmpeg.path] : []), ...deviceFfmpegs.paths.values()]);
  return Promise.all([...paths].map(async (path) => [path, (await stat(path).catch(() => undefined))?.mtimeMs] as const));
}
