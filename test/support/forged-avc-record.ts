import { BitWriter } from '../../src/service/media/bit-writer.ts';

/** An AVCDecoderConfigurationRecord with this many macroblocks, in the Main profile. */
export function forgeAvcRecord(widthInMacroblocks: number, heightInMacroblocks: number, cropped = 0): Buffer {
  const sequence = new BitWriter().bits(0x674d_4033, 32).unsignedExpGolomb(0).unsignedExpGolomb(0).unsignedExpGolomb(2);
  sequence.unsignedExpGolomb(1).flag(false);
  sequence
    .unsignedExpGolomb(widthInMacroblocks - 1)
    .unsignedExpGolomb(heightInMacroblocks - 1)
    .flag(true)
    .flag(true);
  sequence.flag(cropped > 0);
  if (cropped > 0) for (const side of [0, cropped, 0, cropped]) sequence.unsignedExpGolomb(side);
  const nal = sequence.flag(false).flag(true).toBuffer();
  const picture = Buffer.from('68ebe3cb20', 'hex');
  return Buffer.concat([
    Buffer.from('014d4033ffe1', 'hex'),
    Buffer.of(0, nal.length),
    nal,
    Buffer.of(1, 0, picture.length),
    picture,
  ]);
}
