/**
 * Keeps the process alive if its output can no longer be written: its reader may exit first, or the disk may be full. That must not end
 * a broadcast.
 */
export function surviveLostOutput({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  for (const output of [stdout, stderr]) output.on('error', () => {});
}
