/** A formatter keeps the time zone it was made with, even if the computer's changes: so these get {@link local} times. */
const timeZone = 'UTC';
const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  timeZone,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const dayYearAndTime = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });

/** The local time of day, `20:11:04`. */
export function formatTimeOfDay(atMs: number): string {
  return time.format(local(atMs));
}

/** The local time of day, with the date unless that is today: `20:11:04`, `20:11:04 on 21 Nov`, `20:11:04 on 21 Nov 2025`. */
export function formatMoment(atMs: number, nowMs: number): string {
  const timeOfDay = formatTimeOfDay(atMs);
  if (formatDay(atMs) === formatDay(nowMs)) return timeOfDay;
  return `${timeOfDay} on ${(isOfSameYear(atMs, nowMs) ? dayOfYear : day).format(local(atMs))}`;
}

/** The local date, `21 Nov 2026`. */
export function formatDay(atMs: number): string {
  return day.format(local(atMs));
}

/** The local date and time to the minute, `21 Nov, 20:11`; in another year than `nowMs`, `21 Nov 2026, 20:11`. */
export function formatDayAndTime(atMs: number, nowMs = Date.now()): string {
  return (isOfSameYear(atMs, nowMs) ? dayAndTime : dayYearAndTime).format(local(atMs));
}

function isOfSameYear(atMs: number, nowMs: number): boolean {
  return new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
}

/** The time at which UTC clocks show what local clocks show at `atMs`, in the computer's current zone; milliseconds. */
function local(atMs: number): number {
  return atMs - new Date(atMs).getTimezoneOffset() * 60_000;
}
