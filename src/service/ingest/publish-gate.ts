import type { PublishProtocol } from '../../shared/model/live.ts';
import type { LossCause, RefusalReason } from '../../shared/model/refusal.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { MediaFormatError } from '../media/media-format-error.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { PublisherMetadata } from './publisher-metadata.ts';

/** How a publisher's connection ended: it ended its stream, or it was lost. */
export type PublisherEnd = { kind: 'unpublished' } | { kind: 'lost'; cause: LossCause };

/** A publisher that asks to publish, or publishes, by any protocol. Its socket stays with the door that accepted it. */
export interface Publisher {
  readonly protocol: PublishProtocol;
  readonly remoteAddress: string;
  /**
   * Since when it could send: when its socket was accepted, or when it published again on the same one. By `Clock.monotonicMs`.
   */
  readonly connectedAt: number;
  /** The publisher's software, in its own words, if its protocol tells. */
  readonly software: string | undefined;
  /**
   * Tells the publisher the cause in words, with a status that says whether another attempt may help, and closes its connection. Its
   * sink is not called again.
   */
  close(cause: LossCause): void;
}

/** The facts that identify a publisher when it connects. The address alone doesn't: all programs on one computer share it. */
export type PublisherTrace = Pick<Publisher, 'software' | 'remoteAddress'>;

/** Media without a unit; malformed if there is an `error`. */
export interface LeftOutMedia {
  track: TrackKind;
  sizeBytes: number;
  error?: MediaFormatError;
}

/** Receives an accepted publisher's media. Calls come in order; `end` comes once, last. */
export interface PublisherSink {
  unit(unit: MediaUnit): void;
  /** The publisher announces facts about itself and its media. */
  announce(metadata: PublisherMetadata): void;
  /** Media arrived that makes no unit: it is malformed, came before its parameters, repeats them, or announces its end. */
  leaveOut(media: LeftOutMedia): void;
  end(end: PublisherEnd): void;
}

/** The calls of the doors to the rest of the service. */
export interface PublishGate {
  /**
   * Decides whether this stream key may publish, before any media is read, in constant time over the key. The answer names the key's
   * stream, if there is one, for the door's log.
   *
   * A refused publisher gets the reason in words. A wrong key counts towards the limit of its address; a valid key that must wait does
   * not. `store-unreadable`, `restless` and `ingest-closing` pass, and their status says that another attempt may help.
   */
  admit(
    streamKey: string,
    publisher: Publisher,
  ):
    | { kind: 'admitted'; streamId: string; sink: PublisherSink }
    | { kind: 'refused'; streamId?: string | undefined; reason: RefusalReason | { code: 'ingest-closing' } };
  /** Reports a publisher that was refused before it sent a key. */
  refuseUnheard(publisher: PublisherTrace, reason: RefusalReason): void;
}
