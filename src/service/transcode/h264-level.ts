/** `level_idc` as ffmpeg names it, with MaxMBPS, MaxFS and MaxBR (kbit/s for Main): ISO/IEC 14496-10 table A-1. */
const levels = [
  { name: '1.0', macroblocksPerSecond: 1_485, macroblocks: 99, kbps: 64 },
  { name: '1.1', macroblocksPerSecond: 3_000, macroblocks: 396, kbps: 192 },
  { name: '1.2', macroblocksPerSecond: 6_000, macroblocks: 396, kbps: 384 },
  { name: '1.3', macroblocksPerSecond: 11_880, macroblocks: 396, kbps: 768 },
  { name: '2.0', macroblocksPerSecond: 11_880, macroblocks: 396, kbps: 2_000 },
  { name: '2.1', macroblocksPerSecond: 19_800, macroblocks: 792, kbps: 4_000 },
  { name: '2.2', macroblocksPerSecond: 20_250, macroblocks: 1_620, kbps: 4_000 },
  { name: '3.0', macroblocksPerSecond: 40_500, macroblocks: 1_620, kbps: 10_000 },
  { name: '3.1', macroblocksPerSecond: 108_000, macroblocks: 3_600, kbps: 14_000 },
  { name: '3.2', macroblocksPerSecond: 216_000, macroblocks: 5_120, kbps: 20_000 },
  { name: '4.0', macroblocksPerSecond: 245_760, macroblocks: 8_192, kbps: 20_000 },
  { name: '4.1', macroblocksPerSecond: 245_760, macroblocks: 8_192, kbps: 50_000 },
  { name: '4.2', macroblocksPerSecond: 522_240, macroblocks: 8_704, kbps: 50_000 },
  { name: '5.0', macroblocksPerSecond: 589_824, macroblocks: 22_080, kbps: 135_000 },
  { name: '5.1', macroblocksPerSecond: 983_040, macroblocks: 36_864, kbps: 240_000 },
  { name: '5.2', macroblocksPerSecond: 2_073_600, macroblocks: 36_864, kbps: 240_000 },
  { name: '6.0', macroblocksPerSecond: 4_177_920, macroblocks: 139_264, kbps: 240_000 },
  { name: '6.1', macroblocksPerSecond: 8_355_840, macroblocks: 139_264, kbps: 480_000 },
  { name: '6.2', macroblocksPerSecond: 16_711_680, macroblocks: 139_264, kbps: 800_000 },
] as const;

const highestLevel = '6.2';

/** The lowest H.264 level that allows such video, such as `3.1`, or the highest level if none does (ISO/IEC 14496-10 annex A.3). */
export function findH264Level(picture: { width: number; height: number; fps: number; bitrateBps: number }): string {
  const columns = Math.ceil(picture.width / 16);
  const rows = Math.ceil(picture.height / 16);
  const macroblocks = columns * rows;
  const level = levels.find(
    (limits) =>
      limits.macroblocks >= macroblocks &&
      limits.macroblocksPerSecond >= macroblocks * picture.fps &&
      limits.kbps * 1000 >= picture.bitrateBps &&
      // No side may be longer than this (A.3.1).
      Math.max(columns, rows) <= Math.sqrt(limits.macroblocks * 8),
  );
  return level?.name ?? highestLevel;
}
