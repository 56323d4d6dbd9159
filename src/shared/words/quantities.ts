export function formatPercent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

export function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

export function formatTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

export function formatFrames(count: number): string {
  return count === 1 ? '1 frame' : `${count} frames`;
}
