import type { Sleep } from '../model/sleep.ts';

/** What happened and how it affected viewers, in this computer's local time. */
export function describeSleep({ kind, from, to }: Sleep): string {
  const span = `from ${formatTime(from)} to ${formatTime(to)}`;
  const what =
    kind === 'slept' ? `The computer slept ${span}.` : `Tallylight was frozen ${span}: the computer slept or stopped it.`;
  return `${what} Viewers got nothing new during that time.`;
}

function formatTime(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
