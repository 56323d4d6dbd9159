import type { AacConfig } from './aac.ts';
import { BitWriter } from './bit-writer.ts';

/** `id_syn_ele` (ISO/IEC 14496-3 table 4.85). */
const elementId = { single: 0, pair: 1, lowFrequency: 3, end: 7 } as const;

type SoundElement = 'single' | 'pair' | 'lowFrequency';

/** The syntactic elements of each channel configuration (ISO/IEC 14496-3 table 1.19), except those with speakers above. */
const elementsOf: readonly (readonly SoundElement[])[] = [
  [],
  ['single'],
  ['pair'],
  ['single', 'pair'],
  ['single', 'pair', 'single'],
  ['single', 'pair', 'pair'],
  ['single', 'pair', 'pair', 'lowFrequency'],
  ['single', 'pair', 'pair', 'pair', 'lowFrequency'],
  [],
  [],
  [],
  ['single', 'pair', 'pair', 'single', 'lowFrequency'],
  ['single', 'pair', 'pair', 'pair', 'lowFrequency'],
];

/**
 * Formats one raw AAC frame (`raw_data_block`, ISO/IEC 14496-3 §4.4.2.1) of silence, a few bytes long: no channel has a spectral band.
 *
 * Undefined if the channels are described element by element, or some are above the listener.
 */
export function formatSilentFrame({ channelConfiguration }: AacConfig): Buffer | undefined {
  const elements = elementsOf[channelConfiguration] ?? [];
  if (elements.length === 0) return undefined;
  const writer = new BitWriter();
  const tags = { single: 0, pair: 0, lowFrequency: 0 };
  for (const element of elements) {
    writer.bits(elementId[element], 3).bits(tags[element], 4);
    tags[element] += 1;
    // A pair has a common window and no mid/side stereo; a single channel has its window after its gain.
    if (element === 'pair') writeWindow(writer.flag(true)).bits(0, 2);
    for (let channel = 0; channel < (element === 'pair' ? 2 : 1); channel += 1) {
      writer.bits(0, 8);
      if (element !== 'pair') writeWindow(writer);
      // No pulses, no temporal noise shaping, no gain control.
      writer.bits(0, 3);
    }
  }
  return writer.bits(elementId.end, 3).toBuffer();
}

/** `ics_info` (§4.4.2.1): one long window with no scale factor band, nothing predicted. */
function writeWindow(writer: BitWriter): BitWriter {
  return writer.bits(0, 1 + 2 + 1 + 6 + 1);
}
