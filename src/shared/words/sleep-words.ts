import type { Sleep } from '../model/sleep.ts';

/**
 * What happened and how it affected viewers, in the reader's local time.
 *
 * @param clockOffsetMs how far the service's clock is ahead of the reader's
 */
export function describeSleep({ kind, from, to }: Sleep, clockOffsetMs: number): string {
  const span = `from ${formatTime(from - clockOffsetMs)} to ${formatTime(to - clockOffsetMs)}`;
  const what =
    kind === 'slept' ? `The computer slept ${span}.` : `Tallylight was frozen ${span}: the computer slept or stopped it.`;
  return `${what} Viewers got nothing new during that time.`;
}

function formatTime(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
