/**
 * Whether a frame rate that a publisher states, in frames per second, can be meant. Some state the ticks of their clock instead: what ffmpeg
 * encodes from a browser's WebM, which has no rate, announces 1000.
 */
export function isCredibleFps(fps: number): boolean {
  return fps >= 1 && fps <= 300;
}
