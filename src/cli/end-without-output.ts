import { endProcess } from '../service/lib/end-process.ts';
import { codeOf, sentenceOf } from '../service/lib/read-error.ts';

/**
 * Ends the process of a command once its output can no longer be written: with 0 if the reader has read enough, as in
 * `inspect … | head`, otherwise with a sentence and 1. The command may still be waiting for its input.
 */
export function endWithoutOutput({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  // There is nowhere to report this.
  stderr.on('error', () => {});
  stdout.once('error', (error) => {
    // Later output fails, too.
    stdout.on('error', () => {});
    const reason = codeOf(error) ?? sentenceOf(error);
    if (reason === 'EPIPE') endProcess(0);
    else stderr.write(`tallylight: The output cannot be written (${reason}).\n`, () => endProcess(1));
  });
}
