/** The lowest level that the meter shows, in dBFS; the highest is 0. */
export const meterFloorDb = -60;

/** The level at which each colour begins, quietest first, in dBFS: yellow is loud enough, red is close to clipping. */
const zones = [
  { tone: 'good', fromDb: meterFloorDb },
  { tone: 'warn', fromDb: -20 },
  { tone: 'bad', fromDb: -9 },
] as const;

/** A coloured part of a bar: its start and end, in decibels above {@link meterFloorDb}. */
interface LitZone {
  tone: (typeof zones)[number]['tone'];
  from: number;
  to: number;
}

/** The level as the meter shows it: within its scale. */
export function clampLevel(db: number): number {
  return Math.min(Math.max(db, meterFloorDb), 0);
}

/** The parts of a bar that light up at this level, in dBFS, from the bottom. */
export function litZones(db: number): LitZone[] {
  const level = clampLevel(db);
  return zones.flatMap(({ tone, fromDb }, index) => {
    const toDb = Math.min(level, zones[index + 1]?.fromDb ?? 0);
    return toDb > fromDb ? [{ tone, from: fromDb - meterFloorDb, to: toDb - meterFloorDb }] : [];
  });
}

/** The name of a channel, by its index and the number of channels. */
export function nameChannel(index: number, count: number): string {
  if (count === 1) return 'Sound';
  if (count > 2) return `Channel ${index + 1}`;
  return index === 0 ? 'Left' : 'Right';
}
