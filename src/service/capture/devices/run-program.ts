import { codeOf } from '../../lib/read-error.ts';
import { isConclusive, runToEnd } from '../../lib/run-to-end.ts';

/** A program that doesn't answer within this is of no use. */
const defaultTimeoutMs = 3_000;

/** A program's output; or `absent`: it isn't installed; or `failed`: the devices stay unknown. */
export type ProgramRun = { kind: 'printed'; text: string } | { kind: 'absent' } | { kind: 'failed' };

/**
 * Runs a program that lists devices.
 *
 * @param options.from `stderr`: for ffmpeg, which prints its lists there and ends with an error, since nothing is opened
 */
export async function runProgram(
  path: string,
  args: readonly string[],
  { from = 'stdout', timeoutMs = defaultTimeoutMs }: { from?: 'stdout' | 'stderr'; timeoutMs?: number } = {},
): Promise<ProgramRun> {
  // C.UTF-8 alone doesn't stop translations into the languages of LANGUAGE.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', LANGUAGE: '' };
  const { error, stdout, stderr } = await runToEnd(path, args, { timeoutMs, env });
  if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
  if (from === 'stdout' ? error !== null : !isConclusive(error)) return { kind: 'failed' };
  return { kind: 'printed', text: (from === 'stderr' ? stderr : stdout).toString('utf8') };
}

/** A program's output; undefined if it isn't installed or failed. */
export function textOf(run: ProgramRun): string | undefined {
  return run.kind === 'printed' ? run.text : undefined;
}
