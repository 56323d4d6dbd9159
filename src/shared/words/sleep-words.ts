import type { Sleep } from '../model/sleep.ts';

/** What happened and what viewers had of it, by this computer's time of day. */
export function describeSleep({ kind, from, to }: Sleep): string {
  const span = `from ${formatTime(from)} to ${formatTime(to)}`;
  const what =
    kind === 'slept' ? `The computer slept ${span}.` : `Tallylight stood still ${span}: the computer slept, or held it up.`;
  return `${what} Viewers had nothing new meanwhile.`;
}

function formatTime(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
