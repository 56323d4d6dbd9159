import { fileURLToPath } from 'node:url';
import { formatFilterValue } from '../../src/service/media-tools/filter-value.ts';
import type { AudioMeter } from '../../src/shared/model/audio-meter.ts';
import { runFfmpeg } from './ffmpeg.ts';

const speechPath = fileURLToPath(new URL('../fixtures/media/speech.opus', import.meta.url));

/** A tone with its peaks at −18 dBFS. */
export const tone = 'sine=frequency=997:sample_rate=48000';
/** Synthesised speech at −18.8 LUFS on two loudspeakers, again and again. */
const speech = `amovie=${formatFilterValue(speechPath)}:loop=0,asetpts=N/SR/TB,aresample=48000`;
/** The same at −16 LUFS, with peaks far from clipping. */
export const voice = `${speech},volume=2.8dB,alimiter=limit=0.7:level=0`;
/** The same on both sides. */
export const bothSides = 'pan=stereo|c0=c0|c1=c0';

/** Speech that is too loud, with peaks far from clipping. */
export const loudVoice = `${speech},volume=20dB,alimiter=limit=0.5:level=0,${bothSides}`;

/** Sounds of three loudnesses, as ffmpeg sources, and roughly how loud they are in LUFS. */
export const loudSounds: readonly (readonly [name: string, sound: string, aboutLufs: number])[] = [
  ['a tone at −30 LUFS', `${tone},volume=-12dB,${bothSides}`, -30],
  ['a tone at −16 LUFS', `${tone},volume=2dB,${bothSides}`, -16],
  ['a tone at −6 LUFS', `${tone},volume=12dB,${bothSides}`, -6],
  ['speech at −30 LUFS', `${speech},volume=-11.2dB,${bothSides}`, -30],
  ['speech at −16 LUFS', `${voice},${bothSides}`, -16],
  ['speech at −6 LUFS', `${speech},volume=34dB,alimiter=limit=1:level=0,${bothSides}`, -6],
];

/** ffmpeg's measurements of a whole sound. Mono is played on two loudspeakers. */
export interface MeasuredSound {
  integratedLufs: number;
  /** The loudest 3 s after the first second. */
  mostShortTermLufs: number;
  truePeakDbtp: number;
}

/** Measures the sound of some media, `rounds` times one after the other. */
export async function measureSound(path: string, input?: Buffer, rounds = 1): Promise<MeasuredSound> {
  const { stderr } = await runFfmpeg(
    [
      ...['-hide_banner', '-stream_loop', String(rounds - 1), '-i', path, '-vn'],
      ...['-af', 'ebur128=peak=true:dualmono=true:framelog=info', '-f', 'null', '-'],
    ],
    input,
  );
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const read = (value: RegExp) => Number(value.exec(summary)?.[1]);
  // Meters begin after a second.
  const shortTerm = [...stderr.matchAll(/ t: *(\S+) .* S: *(-?[\d.]+) /g)].filter(([, seconds]) => Number(seconds) > 3.95);
  return {
    integratedLufs: read(/I: +(\S+) LUFS/),
    mostShortTermLufs: Math.max(...shortTerm.map(([, , lufs]) => Number(lufs))),
    truePeakDbtp: read(/Peak: +(\S+) dBFS/),
  };
}

/** The highest short-term loudness that a meter showed, in LUFS. */
export function findLoudest(shown: readonly AudioMeter[]): number {
  return Math.max(...shown.flatMap((meter) => (meter.kind === 'measured' ? (meter.shortTermLufs ?? []) : [])));
}
