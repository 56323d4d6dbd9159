import { MediaFormatError } from './media-format-error.ts';

/** Reads big-endian bit fields and Exp-Golomb codes; reading past the end throws {@link MediaFormatError}. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #name: string;
  #position = 0;

  /** @param name what the bytes are, for error messages */
  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#name = name;
  }

  get bitsLeft(): number {
    return this.#bytes.length * 8 - this.#position;
  }

  /** Reads an unsigned field of 0 to 32 bits. */
  bits(count: number): number {
    if (count > this.bitsLeft) throw new MediaFormatError(`${this.#name} ends too early.`);
    let value = 0;
    for (let left = count; left > 0; ) {
      const offset = this.#position & 7;
      const take = Math.min(8 - offset, left);
      const byte = this.#bytes[this.#position >> 3] ?? 0;
      value = value * 2 ** take + ((byte >> (8 - offset - take)) & ((1 << take) - 1));
      this.#position += take;
      left -= take;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number): void {
    if (count > this.bitsLeft) throw new MediaFormatError(`${this.#name} ends too early.`);
    this.#position += count;
  }

  /** `ue(v)` of H.264 (ISO/IEC 14496-10 §9.1). */
  unsignedExpGolomb(): number {
    let zeros = 0;
    while (!this.flag()) {
      zeros += 1;
      if (zeros > 31) throw new MediaFormatError(`${this.#name} holds an Exp-Golomb code of over 32 bits.`);
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** `se(v)` of H.264 (ISO/IEC 14496-10 §9.1.1). */
  signedExpGolomb(): number {
    const code = this.unsignedExpGolomb();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  /** Skips to the next byte boundary. */
  align(): void {
    this.#position = Math.ceil(this.#position / 8) * 8;
  }
}
