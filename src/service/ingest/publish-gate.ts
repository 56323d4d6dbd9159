import type { LossCause, RefusalReason } from '../../shared/model/refusal.ts';
import type { MediaFormatError } from '../media/media-format-error.ts';
import type { MediaUnit, TrackKind } from '../media/media-unit.ts';
import type { EncoderMetadata } from './encoder-metadata.ts';

/** How a publisher's connection ended: it said goodbye, or it was lost. */
export type PublisherEnd = { kind: 'unpublished' } | { kind: 'lost'; cause: LossCause };

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
   * Tells it this cause in words, in a way that keeps it from coming back by itself, and closes its connection. No more calls of its sink
   * follow.
   */
  close(cause: LossCause): void;
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
   * Refused: the encoder is told the reason in words. A wrong key counts towards the limit of its address; an encoder that holds a
   * right one and must wait is no guesser. `store-unreadable` is a trouble of ours that passes: it is told so that it tries again.
   */
  admit(
    streamKey: string,
    publisher: Publisher,
  ): { kind: 'admitted'; sink: PublisherSink } | { kind: 'refused'; reason: RefusalReason };
  /** Hears of an encoder that was sent away before it said a key. */
  refuseUnheard(publisher: Pick<Publisher, 'remoteAddress' | 'software'>, reason: RefusalReason): void;
}
