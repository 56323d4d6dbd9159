/** The PCM that is sent: 48 kHz, two channels that take turns, 16 bits each, little endian. */
export const pcmRateHz = 48_000;

/**
 * Channels of float samples (−1 to 1) as stereo PCM. One channel goes to both sides; of more than two, only front left and right are
 * taken, which are the first two (WebCodecs, "AudioData": channels in the order of the Web Audio API).
 */
export function toPcm(channels: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const [left = new Float32Array(), right = left] = channels;
  const pcm = new DataView(new ArrayBuffer(left.length * 4));
  for (let index = 0; index < left.length; index += 1) {
    pcm.setInt16(index * 4, toInt16(left[index]), true);
    pcm.setInt16(index * 4 + 2, toInt16(right[index]), true);
  }
  return new Uint8Array(pcm.buffer);
}

function toInt16(sample = 0): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
}

/** Whether every sample is exactly 0: a system that withholds sound sends zeros, a quiet room never does. */
export function isDigitalSilence(channels: readonly Float32Array[]): boolean {
  return channels.every((samples) => samples.every((sample) => sample === 0));
}
