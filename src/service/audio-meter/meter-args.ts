/**
 * A meter joins in the middle of audio, and no decoder gets the first frames right without those before: an AAC frame overlaps
 * the one before (ISO/IEC 14496-3), an Opus decoder needs 80 ms to converge (RFC 7845, section 4.6). A hum seems to peak 0.5 dB
 * higher there.
 */
const untrustedSamples = 4096;

/**
 * Loudness and true peaks (EBU R128), then phase, every 0.1 s; both filters write their results to the log. Mono counts as loud
 * as the same on two loudspeakers, since that is how viewers hear it.
 *
 * In a pause, the filters' values decay to denormal numbers, with which processors are so slow that sound with pauses cost four
 * times as much. `adenorm` adds a signal of −200 dBFS, which nobody hears and no meter shows.
 */
const filters = [
  `atrim=start_sample=${untrustedSamples}`,
  'adenorm=level=-200:type=ac',
  'ebur128=peak=true:dualmono=true:framelog=info',
  'aphasemeter=video=0',
  'ametadata=mode=print:key=lavfi.aphasemeter.phase',
].join(',');

/** The container format of a meter's input. */
export type MeterInput = 'flv' | 'matroska';

/** The whole argv of a meter: audio on stdin; its measurements are in the log on stderr. The end of the input ends it. */
export const meterArgs = (input: MeterInput): readonly string[] => [
  // Don't merge repeated lines: they are measurements, too.
  ...['-hide_banner', '-loglevel', 'repeat+info', '-nostats', '-nostdin'],
  // The header says everything, so there is no analysis; more threads would only wake each other.
  ...['-threads', '1', '-filter_threads', '1', '-probesize', '32', '-analyzeduration', '0'],
  ...['-f', input, '-i', 'pipe:0', '-map', '0:a:0', '-af', filters, '-f', 'null', '-'],
];
