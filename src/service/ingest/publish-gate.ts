import type { MediaFormatError } from '../media/media-format-error.ts';
import type { MediaUnit, TrackKind } from '../media/media-unit.ts';
import type { EncoderMetadata } from './encoder-metadata.ts';

/** How a publisher's connection ended: it said goodbye, or it vanished, broke a bound or the protocol, or sent another `codec`. */
export type PublisherEnd = { kind: 'unpublished' } | { kind: 'lost'; sentence: string; cause?: 'codec' };

/** The ways in. */
export type PublishProtocol = 'RTMP';

/** An encoder that asks to publish, or does: what it is, whichever way it came by. Its socket stays with the door that it came to. */
export interface Publisher {
  readonly protocol: PublishProtocol;
  readonly remoteAddress: string;
  /** When the socket was accepted, as `Clock.monotonicMs` tells it. */
  readonly connectedAt: number;
  /** What it calls itself, if its protocol lets it. */
  readonly software: string | undefined;
  /**
   * Tells it this sentence, in a way that keeps it from coming back by itself, and closes its connection. No more calls of its sink
   * follow.
   */
  close(sentence: string): void;
}

/** Media of which there is no unit; with an `error` it is malformed. */
export interface LeftOutMedia {
  track: TrackKind;
  sizeBytes: number;
  error?: MediaFormatError;
}

/** Where an accepted publisher's media goes. Calls come in order, and `end` once and last. */
export interface PublisherSink {
  unit(unit: MediaUnit): void;
  /** What the encoder says of itself and of what it is going to send. */
  announce(metadata: EncoderMetadata): void;
  /** Media came of which there is no unit: it is malformed, or before its parameters; or they were repeated. */
  leaveOut(media: LeftOutMedia): void;
  end(end: PublisherEnd): void;
}

/** The one question that the doors ask of the rest of the service. */
export interface PublishGate {
  /**
   * May this stream key publish? Decided before any media is read, in constant time over the key.
   *
   * Refused: the sentence is for the encoder. A `wrongKey` counts towards the limit of its address; an encoder that holds a right one
   * and must wait is no guesser. A `passing` trouble is ours: the encoder is told so that it tries again.
   */
  admit(
    streamKey: string,
    publisher: Publisher,
  ): { kind: 'admitted'; sink: PublisherSink } | { kind: 'refused'; sentence: string; wrongKey: boolean; passing?: true };
  /** Hears of an encoder that was sent away before it said a key. */
  refuseUnheard(publisher: Pick<Publisher, 'remoteAddress' | 'software'>, sentence: string): void;
}
