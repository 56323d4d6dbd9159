/**
 * A meter joins within audio, whose first frames no decoder gets right without those before: an AAC frame overlaps the one before
 * (ISO/IEC 14496-3), an Opus decoder needs 80 ms to converge (RFC 7845, section 4.6). A hum seems to peak 0.5 dB higher there.
 */
const untrustedSamples = 4096;

/**
 * Loudness and true peaks (EBU R128), then phase, each 0.1 s; both write what they find to the log. Mono is as loud as the same on two
 * loudspeakers: so viewers hear it.
 *
 * In a pause, the filters' values decay to denormal numbers, with which processors are so slow that sound with pauses cost four times
 * as much. `adenorm` adds what nobody hears and no meter shows: −200 dBFS.
 */
const filters = [
  `atrim=start_sample=${untrustedSamples}`,
  'adenorm=level=-200:type=ac',
  'ebur128=peak=true:dualmono=true:framelog=info',
  'aphasemeter=video=0',
  'ametadata=mode=print:key=lavfi.aphasemeter.phase',
].join(',');

/** How audio comes to a meter. */
export type MeterInput = 'flv' | 'matroska';

/** The whole argv of a meter: audio on stdin; what it measures is in the log on stderr. The end of the input ends it. */
export const meterArgs = (input: MeterInput): readonly string[] => [
  // Lines that repeat are measurements too.
  ...['-hide_banner', '-loglevel', 'repeat+info', '-nostats', '-nostdin'],
  // The header says everything, so there is no analysis; more threads would only wake each other.
  ...['-threads', '1', '-filter_threads', '1', '-probesize', '32', '-analyzeduration', '0'],
  ...['-f', input, '-i', 'pipe:0', '-map', '0:a:0', '-af', filters, '-f', 'null', '-'],
];
