import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size in a byte. Higher bytes would favour the first letters. */
const unbiasedBelow = 256 - (256 % alphabet.length);

/** Random lowercase letters and digits from a cryptographic source, evenly distributed (no modulo bias). */
export function randomAlphanumerics(length: number, readBytes: (size: number) => Uint8Array = randomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of readBytes(length)) {
      if (byte < unbiasedBelow && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
