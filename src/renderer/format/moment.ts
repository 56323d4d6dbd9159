const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const dayYearAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The local time of day, `20:11:04`. */
export function formatTimeOfDay(atMs: number): string {
  return time.format(atMs);
}

/** The local time of day, with the date unless that is today: `20:11:04`, `20:11:04 on 21 Nov`, `20:11:04 on 21 Nov 2025`. */
export function formatMoment(atMs: number, nowMs: number): string {
  const timeOfDay = formatTimeOfDay(atMs);
  if (formatDay(atMs) === formatDay(nowMs)) return timeOfDay;
  return `${timeOfDay} on ${(isOfSameYear(atMs, nowMs) ? dayOfYear : day).format(atMs)}`;
}

/** The local date, `21 Nov 2026`. */
export function formatDay(atMs: number): string {
  return day.format(atMs);
}

/** The local date and time to the minute, `21 Nov, 20:11`; of another year than `nowMs`, `21 Nov 2026, 20:11`. */
export function formatDayAndTime(atMs: number, nowMs = Date.now()): string {
  return (isOfSameYear(atMs, nowMs) ? dayAndTime : dayYearAndTime).format(atMs);
}

function isOfSameYear(atMs: number, nowMs: number): boolean {
  return new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
}
