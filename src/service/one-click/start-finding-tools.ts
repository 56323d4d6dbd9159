import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { keepRunning } from '../../shared/keep-running.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { type EncodeTools, noTools } from './encode-tools.ts';

/** How long until ffmpeg is looked for again: it may be being installed, or the computer was too busy to start it. */
const lookAgainMs = 3_000;
/** How often the files of what was found are checked: an upgrade may remove or replace them. That reads a few file times. */
const defaultCheckMs = 10_000;

/** A search for ffmpeg, running or over. */
export interface ToolSearch {
  /** What is known now. */
  readonly current: EncodeTools;
  /** What is known once it has been looked for. If a file of it has changed, that is looked for again; never rejects. */
  find(): Promise<EncodeTools>;
  /** Calls the listener when another outcome is known, until the result is called. */
  onFound(listener: () => void): () => void;
}

/**
 * Looks for ffmpeg in the background until there is one, and again when its file is gone or another one: broadcasts wait for the first
 * look, the start does not. `closing` ends it.
 */
export function startFindingTools(
  findTools: () => Promise<EncodeTools>,
  closing: AbortSignal,
  { checkMs = defaultCheckMs }: { checkMs?: number } = {},
): ToolSearch {
  const changes = createEventSource<void>();
  const looked = Promise.withResolvers<void>();
  let current: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'searching' } } };
  /** When each file of what was found was modified, as it was found. */
  let fileTimes: FileTimes = [];
  let looking: Promise<void> | undefined;
  const lookOnce = async () => {
    const found = await findTools().catch((error: unknown): EncodeTools => {
      const failed: EncodeTools = { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'search-failed' } } };
      // It would fail again and again.
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

/** Files, and when each was modified, in milliseconds since 1970; undefined if it can't be told, as where it is gone. */
type FileTimes = readonly (readonly [path: string, modifiedAtMs: number | undefined])[];

/** Reads those of the ffmpegs that were found, through links: packages are often reached by one. */
function readFileTimes({ ffmpeg, deviceFfmpegs }: EncodeTools): Promise<FileTimes> {
  const paths = new Set([...(ffmpeg.kind === 'found' ? [ffmpeg.path] : []), ...deviceFfmpegs.paths.values()]);
  return Promise.all([...paths].map(async (path) => [path, (await stat(path).catch(() => undefined))?.mtimeMs] as const));
}
