import type { RefusalReason } from '../../shared/model/refusal.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { TagHeaderError } from '../flv/tag-header-error.ts';
import { type ReadTag, UnitReader } from '../flv/unit-reader.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';
import { unwrapDataFrame } from '../rtmp/script-data.ts';
import type { PublisherSink } from './publish-gate.ts';
import { parsePublisherMetadata } from './publisher-metadata.ts';

/** The result of a message: its media was taken, or can't be used; it had none; or its codec is not supported. */
export type DoorAnswer =
  | { kind: 'taken' }
  | { kind: 'unusable' }
  | { kind: 'nothing' }
  | { kind: 'refused'; cause: Extract<RefusalReason, { code: 'codec' }> };

/**
 * The end of RTMP: turns one publisher's audio and video messages into units, and its script messages into metadata. Single use.
 */
export class MediaDoor {
  readonly #sink: PublisherSink;
  readonly #reader = new UnitReader();

  constructor(sink: PublisherSink) {
    this.#sink = sink;
  }

  /**
   * Takes an audio or video message. Malformed media is left out and reported to the sink.
   *
   * @throws {RtmpProtocolError} when the message is shorter than its own header, or of an unknown type
   */
  take(tag: FlvTag & { kind: TrackKind }): DoorAnswer {
    const sizeBytes = tag.body.length;
    try {
      return this.#hand(this.#reader.read(tag), tag.kind, sizeBytes);
    } catch (error) {
      if (error instanceof TagHeaderError) throw new RtmpProtocolError(error.message);
      if (!(error instanceof MediaFormatError)) throw error;
      this.#sink.leaveOut({ track: tag.kind, sizeBytes, error });
      return { kind: 'unusable' };
    }
  }

  /** Takes a script message. */
  takeScript(payload: Buffer): void {
    const body = unwrapDataFrame(payload);
    if (body !== undefined) this.#sink.announce(parsePublisherMetadata(body));
  }

  #hand(read: ReadTag, track: TrackKind, sizeBytes: number): DoorAnswer {
    switch (read.kind) {
      case 'nothing':
        return read;
      case 'unsupported':
        return { kind: 'refused', cause: { code: 'codec', track, name: read.what } };
      case 'unit':
        this.#sink.unit(read.unit);
        return { kind: 'taken' };
      case 'idle':
      case 'no-picture':
        this.#sink.leaveOut({ track, sizeBytes });
        return { kind: 'unusable' };
      case 'end-of-sequence':
        this.#sink.leaveOut({ track, sizeBytes });
        return { kind: 'nothing' };
    }
  }
}
