import type { RefusalReason } from '../../shared/model/refusal.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { TagHeaderError } from '../flv/tag-header-error.ts';
import { type ReadTag, UnitReader } from '../flv/unit-reader.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { TrackKind } from '../media/media-unit.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';
import { unwrapDataFrame } from '../rtmp/stream-metadata.ts';
import { parseEncoderMetadata } from './encoder-metadata.ts';
import type { PublisherSink } from './publish-gate.ts';

/** What came of a message: media or metadata, nothing of the kind, or a codec that is not carried. */
export type DoorAnswer =
  | { kind: 'taken' }
  | { kind: 'nothing' }
  | { kind: 'refused'; cause: Extract<RefusalReason, { code: 'codec' }> };

/** Where RTMP ends: makes units of one publisher's audio and video messages, and metadata of its script messages. Single use. */
export class MediaDoor {
  readonly #sink: PublisherSink;
  readonly #reader = new UnitReader();

  constructor(sink: PublisherSink) {
    this.#sink = sink;
  }

  /**
   * Takes an audio or video message. Media that is malformed is left out, and the sink hears of it.
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
      return { kind: 'taken' };
    }
  }

  /** Takes a script message. */
  takeScript(payload: Buffer): void {
    const body = unwrapDataFrame(payload);
    if (body !== undefined) this.#sink.announce(parseEncoderMetadata(body));
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
        this.#sink.leaveOut({ track, sizeBytes });
        return { kind: 'taken' };
    }
  }
}
