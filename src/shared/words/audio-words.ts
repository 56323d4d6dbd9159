import type { AudioMeter } from '../model/audio-meter.ts';

/** Why the audio of a broadcast isn't measured, as people read it. */
export function describeUnmeasured({ why }: Extract<AudioMeter, { kind: 'unmeasured' }>): string {
  return reasons[why];
}

const reasons: Readonly<Record<Extract<AudioMeter, { kind: 'unmeasured' }>['why'], string>> = {
  'no-ffmpeg': "The sound isn't measured: ffmpeg isn't available.",
  undecodable: "The sound isn't measured: this ffmpeg can't decode it. Use a newer one.",
  failed: "The sound isn't measured: ffmpeg keeps failing. Tallylight keeps trying.",
};
