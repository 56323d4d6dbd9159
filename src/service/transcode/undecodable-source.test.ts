import { expect, test } from 'vitest';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import { aacFormat } from '../media/aac-format.ts';
import { av1Format } from '../media/av1-format.ts';
import { type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import { opusFormat } from '../media/opus-format.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import { Ladder } from './ladder.ts';
import { SourceParameters } from './source-parameters.ts';

const video = av1Format.parseRecord(Buffer.from('81000c000a0b0200000521e7f66017c002', 'hex'));
const audio = opusFormat.parseRecord(Buffer.from('4f707573486561640101380180bb0000000000', 'hex'));
const announce = (config: VideoConfig | AudioConfig): PlacedUnit => ({
  type: 'config',
  timeline: 0,
  timescale: placedTimescale,
  dts: 0,
  config,
});

test('a source that ffmpeg cannot decode has no renditions, and that is reported', () => {
  const events: LadderEvent[] = [];
  const left: string[] = [];
  const renditions = ['720p', '480p'].map((name) =>
    createRendition({ name, bitrate: 1_000_000, fps: 0, width: 1280, height: 720 }, { onLeave: () => left.push(name) }),
  );
  const ladder = new Ladder({
    // A start would fail and be reported.
    ffmpegPath: () => '/nowhere/ffmpeg',
    encoder: 'libx264',
    canDecode: ({ name }) => name !== 'AV1',
    renditions,
    clock: { monotonicMs: () => 0 },
    onEvent: (event) => events.push(event),
  });
  ladder.push(announce(video));
  const times = { timeline: 0, timescale: placedTimescale, dts: 0, pts: 0 };
  ladder.push({ type: 'video', ...times, config: video, keyframe: true, independent: true, data: Buffer.of(0) });
  ladder.tick();
  expect(events).toEqual([
    { code: 'given-up', severity: 'warn', names: ['720p', '480p'], why: { kind: 'no-decoder', codec: 'AV1' } },
  ]);
  expect(renditions.map((rendition) => ladder.stateOf(rendition))).toEqual(['given-up', 'given-up']);
  expect(left).toEqual(['720p', '480p']);
});

test.each([true, false])('audio that only some players take is encoded if ffmpeg decodes it: %s', (decodes) => {
  const source = new SourceParameters(() => decodes);
  expect(source.read(announce(audio))).toBe('audio-config');
  expect(source.audio).toEqual({ config: audio, encode: decodes });
});

test('AAC whose channels are described element by element is encoded for renditions, and stereo is not', () => {
  const source = new SourceParameters(() => true);
  const encodes = (record: string) => {
    source.read(announce(aacFormat.parseRecord(Buffer.from(record, 'hex'))));
    return source.audio?.encode;
  };
  expect([encodes('118004c40500210000'), encodes('1190')]).toEqual([true, false]);
});
