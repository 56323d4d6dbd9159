/** Writes big-endian bit fields and Exp-Golomb codes. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #bitCount = 0;

  /** Writes an unsigned field of 0 to 32 bits; excess high bits of `value` are dropped. */
  bits(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      const index = this.#bitCount >> 3;
      if (index === this.#bytes.length) this.#bytes.push(0);
      if ((value >>> bit) & 1) this.#bytes[index] = (this.#bytes[index] ?? 0) | (0x80 >> (this.#bitCount & 7));
      this.#bitCount += 1;
    }
    return this;
  }

  flag(value: boolean): this {
    return this.bits(value ? 1 : 0, 1);
  }

  /** `ue(v)` of H.264 (ISO/IEC 14496-10 §9.1), for values below 2^31. */
  unsignedExpGolomb(value: number): this {
    const length = 32 - Math.clz32(value + 1);
    return this.bits(0, length - 1).bits(value + 1, length);
  }

  /** The bytes written so far, padded with zero bits. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}
