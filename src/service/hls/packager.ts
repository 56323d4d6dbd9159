import { type AacConfig, parseAacConfig } from '../media/aac.ts';
import { parseAudioTag } from '../media/flv-audio.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { parseVideoTag } from '../media/flv-video.ts';
import { type H264Config, isWholeNalUnits, parseH264Config } from '../media/h264.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import { MediaClock, type TrackKind } from './media-clock.ts';
import type { PackagedSegment, SegmentTracks } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import { SegmentMaker } from './segment-maker.ts';
import { Segmenter } from './segmenter.ts';

export interface PackagerOptions {
  /** Wall clock of the first media, epoch milliseconds: the start of `EXT-X-PROGRAM-DATE-TIME`. */
  startedAtMs: number;
  onSegment: (segment: PackagedSegment) => void;
  /** Hears what plays, before the first segment and whenever that changes. */
  onTracks?: (tracks: SegmentTracks) => void;
  /** Hears of each tag that is left out because it is malformed or of a codec that is not carried. */
  onMalformed?: (error: MediaFormatError) => void;
  /** A segment ends at the first keyframe this long after its start; 2 by default. */
  targetSegmentSeconds?: number;
  bounds?: PackagerBounds;
}

/**
 * Makes fMP4 segments, sound and picture in one, from the FLV tags of one publisher or of one encoder of the ladder.
 *
 * It reads no clock: what it waits for is counted in media time. A segment begins at a keyframe, and audio is divided at the
 * time its picture begins, so that renditions with the same keyframes get the same segments. Which tracks a segment has is
 * decided as it is made: where that, or a codec's parameters, changes, there is a new init segment and a discontinuity.
 * Malformed tags are left out and told of: `push` throws nothing. Single use: a new publisher gets a new one.
 */
export class Packager {
  readonly #bounds: PackagerBounds;
  readonly #onMalformed: ((error: MediaFormatError) => void) | undefined;
  readonly #clock = new MediaClock();
  readonly #segmenter: Segmenter;
  #videoConfig: H264Config | undefined;
  #audioConfig: AacConfig | undefined;
  #ended = false;

  constructor({ startedAtMs, onSegment, onTracks, onMalformed, targetSegmentSeconds = 2, bounds }: PackagerOptions) {
    this.#bounds = bounds ?? defaultPackagerBounds;
    this.#onMalformed = onMalformed;
    this.#segmenter = new Segmenter({
      targetMs: targetSegmentSeconds * 1000,
      bounds: this.#bounds,
      maker: new SegmentMaker(startedAtMs, onTracks ?? (() => {})),
      onSegment,
    });
  }

  /** Takes the next tag; its body is kept, not copied, until its segment is made. Script tags are ignored. */
  push(tag: FlvTag): void {
    if (this.#ended) return;
    try {
      if (tag.kind === 'video') this.#pushVideo(tag);
      if (tag.kind === 'audio') this.#pushAudio(tag);
    } catch (error) {
      if (!(error instanceof MediaFormatError)) throw error;
      this.#onMalformed?.(error);
    }
  }

  /** Makes the last segment of what has come; whatever is pushed later is ignored. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#segmenter.finish();
  }

  #pushVideo({ timestampMs, body }: FlvTag): void {
    const tag = parseVideoTag(body);
    if (tag.kind === 'unsupported') throw new MediaFormatError(`Video is coded with ${tag.codec}, not H.264.`);
    if (tag.kind === 'sequence-header') {
      // Publishers repeat the sequence header: only another one is a change.
      if (this.#videoConfig?.record.equals(tag.record)) return;
      this.#videoConfig = parseH264Config(tag.record);
      this.#segmenter.expectVideo();
    }
    const config = this.#videoConfig;
    if (tag.kind !== 'frame' || config === undefined) return;
    const { keyframe, compositionTimeMs, data } = tag;
    if (!isWholeNalUnits(data, config.nalLengthBytes)) throw new MediaFormatError('A video frame has broken NAL unit lengths.');
    if (Math.abs(compositionTimeMs) > this.#bounds.maxCompositionTimeMs) {
      throw new MediaFormatError(`A video frame has the composition time ${compositionTimeMs} ms.`);
    }
    const timeMs = this.#place('video', timestampMs);
    if (timeMs !== undefined) this.#segmenter.pushVideo({ timeMs, compositionTimeMs, keyframe, data, config });
  }

  #pushAudio({ timestampMs, body }: FlvTag): void {
    const tag = parseAudioTag(body);
    if (tag.kind === 'unsupported') throw new MediaFormatError(`Audio is coded with ${tag.codec}, not AAC.`);
    if (tag.kind === 'sequence-header') {
      if (this.#audioConfig?.config.equals(tag.config)) return;
      this.#audioConfig = parseAacConfig(tag.config);
      this.#segmenter.setAudioConfig(this.#audioConfig);
    }
    if (tag.kind !== 'frame' || this.#audioConfig === undefined || tag.data.length === 0) return;
    if (tag.data.length > this.#bounds.maxAudioFrameBytes) {
      throw new MediaFormatError(`An AAC frame has ${tag.data.length} bytes.`);
    }
    const timeMs = this.#place('audio', timestampMs);
    if (timeMs !== undefined) this.#segmenter.pushAudio(timeMs, tag.data);
  }

  #place(track: TrackKind, timestampMs: number): number | undefined {
    const placed = this.#clock.place(track, timestampMs);
    if (placed.kind === 'stale') return undefined;
    if (placed.kind === 'jumps') {
      const paused = placed.skippedMs > 0 && placed.skippedMs <= this.#bounds.maxPauseMs;
      this.#segmenter.startTimeline(paused ? placed.skippedMs : 0);
    }
    return placed.timeMs;
  }
}
