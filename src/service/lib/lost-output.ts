/**
 * Has a process live on when nobody reads what it says any more: whoever reads its output may go first, or its disk be full. That is
 * no reason to end a broadcast.
 */
export function surviveLostOutput({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  for (const output of [stdout, stderr]) output.on('error', () => {});
}
