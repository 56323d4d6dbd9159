/**
 * What the peer has acknowledged of the bytes we sent (Acknowledgement, RTMP 1.0 §5.4.3), and what must still be in flight.
 *
 * Our operating system takes some megabytes before it lets us wait, seconds of media at common bitrates. Only acknowledgements tell
 * how much of that the peer has. They come once per window, which peers choose as they like, so it knows the peer's habit. All
 * counts are modulo 2^32, as on the wire. A peer that doesn't count the handshake, like nginx-rtmp, always lacks its 3,073 bytes.
 */
export class AcknowledgementMeter {
  readonly #windowBytes: number;
  #last: { sequenceNumber: number; inFlightBytes: number } | undefined;
  /** The least that the peer has acknowledged at once: it acknowledges more when it was busy. */
  #leastBytes = Number.POSITIVE_INFINITY;

  /** @param windowBytes after how many bytes we asked the peer to acknowledge */
  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
  }

  /** Takes an acknowledgement that arrives when so many bytes have been sent in total. */
  receive(sequenceNumber: number, sentBytes: number): void {
    const bytes = distance(this.#last?.sequenceNumber ?? 0, sequenceNumber);
    if (bytes > 0) this.#leastBytes = Math.min(this.#leastBytes, bytes);
    // Some peers count more than they got, as the handshake twice; then nothing is in flight.
    const inFlightBytes = distance(sequenceNumber, sentBytes);
    this.#last = { sequenceNumber, inFlightBytes: inFlightBytes < 2 ** 31 ? inFlightBytes : 0 };
  }

  /**
   * Bytes sent that the peer doesn't have yet; undefined before its first acknowledgement, so for ever if it never sends one.
   *
   * It is what was missing when the last acknowledgement came. It grows once the next one is overdue.
   */
  inFlightBytes(sentBytes: number): number | undefined {
    if (this.#last === undefined) return undefined;
    return Math.max(this.#last.inFlightBytes, this.#unacknowledgedBytes(sentBytes) - this.#habitBytes);
  }

  /**
   * The last acknowledgement, if the next one is overdue by the peer's own habit; else undefined.
   *
   * Detects a dead peer sooner than the socket does.
   */
  findOverdue(sentBytes: number): number | undefined {
    return this.#unacknowledgedBytes(sentBytes) > 2 * this.#habitBytes ? this.#last?.sequenceNumber : undefined;
  }

  get #habitBytes(): number {
    return Math.max(Number.isFinite(this.#leastBytes) ? this.#leastBytes : 0, this.#windowBytes);
  }

  #unacknowledgedBytes(sentBytes: number): number {
    if (this.#last === undefined) return 0;
    const bytes = distance(this.#last.sequenceNumber, sentBytes);
    return bytes < 2 ** 31 ? bytes : 0;
  }
}

/** How far it is from one count to a later one, modulo 2^32. */
function distance(from: number, to: number): number {
  return (to - from) >>> 0;
}
