/**
 * A peer may count this much more than it received, such as the handshake twice. A count that exceeds what we sent by more has
 * restarted.
 */
const mostOvercountedBytes = 64 * 1024;

/**
 * How many of the bytes we sent the peer has acknowledged (Acknowledgement, RTMP 1.0 §5.4.3), and how many must still be in
 * flight.
 *
 * Our operating system takes some megabytes before it makes us wait: seconds of media at common bitrates. Only acknowledgements
 * tell how much of that the peer has. They come once per window, which peers choose freely, so the meter learns the peer's habit.
 * Sequence numbers have 32 bits, but nginx-rtmp restarts at 0xf0000000, and others use 31 bits; our own count of sent bytes never
 * wraps. A peer that doesn't count the handshake, like nginx-rtmp, always lacks its 3,073 bytes. Servers built on rml_rtmp report
 * the bytes since their last acknowledgement.
 */
export class AcknowledgementMeter {
  readonly #windowBytes: number;
  /** `ackedBytes` is how much the peer has in total. */
  #last: { sequenceNumber: number; ackedBytes: number; inFlightBytes: number } | undefined;
  /** The fewest bytes that the peer has acknowledged at once: it acknowledges more when it was busy. */
  #leastBytes = Number.POSITIVE_INFINITY;
  /** The fewest bytes that were in flight. */
  #leastInFlightBytes = Number.POSITIVE_INFINITY;
  /** How much the peer has if each number counts from the one before; infinite once that is more than was sent. */
  #summedBytes = 0;
  #countsSinceLast = false;

  /** @param windowBytes after how many bytes we asked the peer to acknowledge */
  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
  }

  /** Takes an acknowledgement that arrives when this many bytes have been sent in total. */
  receive(sequenceNumber: number, sentBytes: number): void {
    const last = this.#last ?? { sequenceNumber: 0, ackedBytes: 0 };
    this.#learnCounting(sequenceNumber, sentBytes);
    const bytes = this.#countsSinceLast ? this.#summedBytes - last.ackedBytes : distance(last.sequenceNumber, sequenceNumber);
    const goesOn = last.ackedBytes + bytes <= sentBytes + mostOvercountedBytes;
    if (goesOn && bytes > 0) this.#leastBytes = Math.min(this.#leastBytes, bytes);
    const inFlightBytes = goesOn ? Math.max(0, sentBytes - last.ackedBytes - bytes) : this.#guessInFlight();
    this.#leastInFlightBytes = Math.min(this.#leastInFlightBytes, inFlightBytes);
    this.#last = { sequenceNumber, ackedBytes: sentBytes - inFlightBytes, inFlightBytes };
  }

  /**
   * Bytes sent that the peer doesn't have yet; undefined before its first acknowledgement, so for ever if it never sends one.
   *
   * That is how much was missing when the last acknowledgement came, and more once the next one is overdue.
   */
  inFlightBytes(sentBytes: number): number | undefined {
    if (this.#last === undefined) return undefined;
    return Math.max(this.#last.inFlightBytes, this.#unacknowledgedBytes(sentBytes) - this.#habitBytes);
  }

  /**
   * A number that identifies the last acknowledgement, if the next one is overdue by the peer's own habit; else undefined.
   *
   * Detects a dead peer sooner than the socket does.
   */
  findOverdue(sentBytes: number): number | undefined {
    if (this.#unacknowledgedBytes(sentBytes) <= 2 * this.#habitBytes) return undefined;
    return this.#countsSinceLast ? this.#last?.ackedBytes : this.#last?.sequenceNumber;
  }

  /**
   * Finds out how the peer counts. If a number isn't larger than the one before, either the peer counts from its last
   * acknowledgement, or its count has restarted. In the latter case the sum of all numbers is far more than was sent.
   */
  #learnCounting(sequenceNumber: number, sentBytes: number): void {
    this.#summedBytes += sequenceNumber;
    if (this.#summedBytes > sentBytes + mostOvercountedBytes) {
      this.#summedBytes = Number.POSITIVE_INFINITY;
      this.#countsSinceLast = false;
    } else if (!this.#countsSinceLast && sequenceNumber <= (this.#last?.sequenceNumber ?? -1)) {
      this.#countsSinceLast = true;
      // The differences between its numbers so far mean nothing.
      this.#leastBytes = sequenceNumber;
    }
  }

  get #habitBytes(): number {
    return Math.max(Number.isFinite(this.#leastBytes) ? this.#leastBytes : 0, this.#windowBytes);
  }

  /**
   * A guess at the bytes in flight when a count has restarted at an unknown byte: the fewest there ever were. If that is too low,
   * it is corrected once the peer seems to have more than was sent.
   */
  #guessInFlight(): number {
    return Number.isFinite(this.#leastInFlightBytes) ? this.#leastInFlightBytes : 0;
  }

  #unacknowledgedBytes(sentBytes: number): number {
    return this.#last === undefined ? 0 : Math.max(0, sentBytes - this.#last.ackedBytes);
  }
}

/** How far it is from one sequence number to a later one, modulo 2^32. */
function distance(from: number, to: number): number {
  return (to - from) >>> 0;
}
