import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { Source } from '../../shared/model/live.ts';
import { explainExit } from '../media-tools/ffmpeg-process.ts';

type Meaning = Extract<EncodeFailure['code'], `file-${string}` | 'no-video-track' | 'no-x264' | 'out-of-memory'>;

/** What ffmpeg's last lines mean; the first match wins. */
const meanings: readonly { pattern: RegExp; code: Meaning; sourceAtFault: boolean }[] = [
  { pattern: /Stream map '0:v:0' matches no streams/, code: 'no-video-track', sourceAtFault: true },
  { pattern: /No such file or directory/, code: 'file-gone', sourceAtFault: true },
  { pattern: /Permission denied/, code: 'file-forbidden', sourceAtFault: true },
  { pattern: /Is a directory/, code: 'file-is-folder', sourceAtFault: true },
  {
    pattern: /Invalid data found when processing input|moov atom not found|could not find codec parameters/i,
    code: 'file-unreadable',
    sourceAtFault: true,
  },
  { pattern: /Unknown encoder '?libx264/, code: 'no-x264', sourceAtFault: false },
  { pattern: /Cannot allocate memory/, code: 'out-of-memory', sourceAtFault: false },
];

/** Why an encode ended, and whether choosing another source would fix it. */
export interface ExplainedEnd {
  failure: EncodeFailure;
  sourceAtFault: boolean;
}

/** Explains ffmpeg's end from its exit and the last lines of its stderr. */
export function explainFfmpegEnd(
  end: { exitCode: number | null; killedBy: NodeJS.Signals | null },
  stderr: readonly string[],
  source: Source,
): ExplainedEnd {
  const text = stderr.join('\n');
  const meaning = meanings.find(({ pattern }) => pattern.test(text));
  const isFile = source.kind === 'file';
  if (meaning) return { failure: { code: meaning.code }, sourceAtFault: meaning.sourceAtFault && isFile };
  if (end.killedBy === null && end.exitCode === 0) return { failure: { code: 'source-ended' }, sourceAtFault: isFile };
  return { failure: explainExit(end), sourceAtFault: false };
}
