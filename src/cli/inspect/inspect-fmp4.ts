import { findAudioFormat, findVideoFormat } from '../../service/media/carried-formats.ts';
import { audioTrackId, videoTrackId } from '../../service/media/fmp4-init.ts';
import { eachBox, type ReadSample, readFragment } from '../../service/media/fmp4-reader.ts';
import { type AnnouncedTrack, readTracks } from '../../service/media/fmp4-tracks.ts';
import { MediaFormatError } from '../../service/media/media-format-error.ts';
import type { AudioConfig, VideoConfig } from '../../service/media/track-config.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { describeConfig, describeUnit, type InspectedLine } from './inspected-line.ts';

/** A track's properties; everything but its kind comes from the init segment. */
interface KnownTrack {
  kind: TrackKind;
  timescale?: number;
  config?: VideoConfig | AudioConfig;
}

/** Without an init segment: as our packager numbers its tracks. */
const ownTracks: ReadonlyMap<number, KnownTrack> = new Map([
  [videoTrackId, { kind: 'video' }],
  [audioTrackId, { kind: 'audio' }],
]);

/**
 * Inspects an init segment, a media segment, or a sequence of both.
 *
 * @param init the init segment if it is a separate file; may be empty
 * @throws {MediaFormatError} when the rest cannot be read
 */
export function* inspectFmp4(media: Buffer, init: Buffer): Generator<InspectedLine> {
  let tracks = ownTracks;
  let announced: readonly AnnouncedTrack[] = [];
  for (const file of [init, media]) {
    for (const box of eachBox(file)) {
      if (box.type === 'moov') {
        announced = readTracks(box.content);
        const known = new Map<number, KnownTrack>();
        for (const track of announced) yield announceTrack(track, known);
        tracks = known;
      }
      if (box.type !== 'moof') continue;
      const fragment = readFragment(file, box, new Map(announced.map(({ id, defaults }) => [id, defaults])));
      yield { kind: 'fragment', sequenceNumber: fragment.sequenceNumber, positionBytes: box.position };
      for (const { trackId, samples } of fragment.tracks) yield* describeSamples(trackId, samples, tracks.get(trackId));
    }
  }
}

function announceTrack(track: AnnouncedTrack, known: Map<number, KnownTrack>): InspectedLine {
  const { id, kind, timescale, fourCc, boxes } = track;
  const format = kind === 'video' ? findVideoFormat(fourCc) : findAudioFormat(fourCc);
  const record = format?.findRecord(boxes);
  const sizeBytes = record?.length ?? 0;
  known.set(id, { kind, timescale });
  if (format === undefined) return { kind: 'left-out', what: kind, sizeBytes, sentence: `${fourCc} tracks are not supported.` };
  if (record === undefined) return { kind: 'left-out', what: kind, sizeBytes, sentence: 'A track has no configuration.' };
  try {
    const config = format.parseRecord(record);
    known.set(id, { kind, timescale, config });
    return describeConfig(config, { timescale });
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return { kind: 'left-out', what: kind, sizeBytes, sentence: error.message };
  }
}

function* describeSamples(trackId: number, samples: readonly ReadSample[], track?: KnownTrack): Generator<InspectedLine> {
  for (const sample of samples) {
    const sizeBytes = sample.data.length;
    if (track === undefined) {
      const sentence = `Track ${trackId} is not a video or audio track of the init segment.`;
      yield { kind: 'left-out', what: 'box', sizeBytes, sentence };
      continue;
    }
    try {
      yield describeSample(sample, track);
    } catch (error) {
      if (!(error instanceof MediaFormatError)) throw error;
      yield { kind: 'left-out', what: track.kind, sizeBytes, sentence: error.message };
    }
  }
}

/** @throws {MediaFormatError} when the sample is malformed */
function describeSample({ dts, compositionOffset, duration, sync, data }: ReadSample, track: KnownTrack): InspectedLine {
  const { kind, timescale, config } = track;
  if (timescale === undefined || config === undefined) {
    const time = { dts, pts: dts + compositionOffset, ...(timescale !== undefined && { timescale }), duration };
    return { kind: 'unit', track: kind, ...time, ...(kind === 'video' && { keyframe: sync }), sizeBytes: data.length };
  }
  if (config.track === 'audio') {
    config.format.measureFrame(data, config);
    return describeUnit({ type: 'audio', timescale, dts, config, data }, duration);
  }
  const facts = config.format.inspect(data, config);
  if (facts === undefined) throw new MediaFormatError('A video sample has no picture.');
  const { independent, captured } = facts;
  const unit = { timescale, dts, pts: dts + compositionOffset, config, keyframe: sync, independent: sync && independent, data };
  return describeUnit({ type: 'video', ...unit, ...(captured && { captured }) }, duration);
}
