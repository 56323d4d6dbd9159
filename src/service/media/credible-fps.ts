/**
 * Whether a frame rate that a publisher states, in frames per second, is credible. Some state the ticks of their clock instead:
 * ffmpeg announces 1000 when it encodes a browser's WebM, which has no rate.
 */
export function isCredibleFps(fps: number): boolean {
  return fps >= 1 && fps <= 300;
}
