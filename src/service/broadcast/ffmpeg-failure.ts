import type { Source } from '../../shared/model/live.ts';

/** What ffmpeg's last words mean, for a person; the first that matches wins. */
const meanings: readonly { pattern: RegExp; sentence: string; sourceAtFault: boolean }[] = [
  {
    pattern: /Stream map '0:v:0' matches no streams/,
    sentence: 'The file has no video track; choose one with a picture.',
    sourceAtFault: true,
  },
  { pattern: /No such file or directory/, sentence: 'The file is not there any more; choose it again.', sourceAtFault: true },
  { pattern: /Permission denied/, sentence: 'The file may not be read; check its permissions.', sourceAtFault: true },
  { pattern: /Is a directory/, sentence: 'That is a folder; choose a file in it.', sourceAtFault: true },
  {
    pattern: /Invalid data found when processing input|moov atom not found|could not find codec parameters/i,
    sentence: 'The file is not a video that ffmpeg can read, or it is damaged.',
    sourceAtFault: true,
  },
  {
    pattern: /Unknown encoder '?libx264/,
    sentence: 'This ffmpeg was built without x264, which Go live needs; install a full build.',
    sourceAtFault: false,
  },
  { pattern: /Cannot allocate memory/, sentence: 'The computer ran out of memory while encoding.', sourceAtFault: false },
];

/** Why an encode ended, in a sentence, and whether choosing another source would mend it. */
export interface EncodeFailure {
  sentence: string;
  sourceAtFault: boolean;
}

/** Explains ffmpeg's end from its exit and the last lines of its stderr. */
export function explainFfmpegEnd(
  { exitCode, killedBy }: { exitCode: number | null; killedBy: NodeJS.Signals | null },
  stderr: readonly string[],
  source: Source,
): EncodeFailure {
  const text = stderr.join('\n');
  const meaning = meanings.find(({ pattern }) => pattern.test(text));
  if (meaning) return { sentence: meaning.sentence, sourceAtFault: meaning.sourceAtFault && source.kind === 'file' };
  if (killedBy) return { sentence: `ffmpeg was ended from outside (${killedBy}).`, sourceAtFault: false };
  if (exitCode === 0)
    return { sentence: 'ffmpeg ended by itself: the source came to its end.', sourceAtFault: source.kind === 'file' };
  return { sentence: `ffmpeg ended with code ${exitCode}.`, sourceAtFault: false };
}
