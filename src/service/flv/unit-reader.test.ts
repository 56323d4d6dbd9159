import { expect, test } from 'vitest';
import { enhanceBody } from '../../../test/support/enhanced-flv.ts';
import {
  audioFrame,
  audioHeader,
  av1Frame,
  avcRecords,
  broadcast,
  messageFrame,
  opusHeader,
  opusPacket,
  videoFrame,
  videoHeader,
  withMessageFrames,
} from '../../../test/support/flv-builder.ts';
import { insertCaptureStamp } from '../media/h264-capture-stamp.ts';
import { hevcFormat } from '../media/hevc-format.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { FlvTag } from './flv-tag.ts';
import { UnitReader } from './unit-reader.ts';
import { formatUnitTag } from './unit-tag.ts';

const hevcRecord = hevcFormat.sample?.record.toString('hex');

function readAll(tags: readonly FlvTag[]): MediaUnit[] {
  const reader = new UnitReader();
  return tags.flatMap((tag) => reader.readUnit(tag) ?? []);
}

test('each tag becomes a unit, after both configurations, and formats back to the same tag', () => {
  const tags = [...broadcast({ durationMs: 200, reorderMs: 80 }), videoFrame(200, { compositionTimeMs: -40 })];
  const units = readAll(tags);
  expect(units.slice(0, 4).map(({ type, dts, timescale }) => [type, dts, timescale])).toEqual([
    ['config', 0, 1000],
    ['config', 0, 1000],
    ['video', 0, 1000],
    ['audio', 0, 1000],
  ]);
  expect(units[2]).toMatchObject({ pts: 80, keyframe: true, independent: true });
  expect(units.at(-1)).toMatchObject({ dts: 200, pts: 160, keyframe: false, independent: false });
  expect(units.map((unit) => formatUnitTag(unit))).toEqual(tags);
});

test('Opus units format back to the tags they came from', () => {
  const tags = [opusHeader(), opusPacket(0), opusPacket(20)];
  const units = readAll(tags);
  expect(units.map(({ type, dts }) => [type, dts])).toEqual([
    ['config', 0],
    ['audio', 0],
    ['audio', 20],
  ]);
  expect(units.map((unit) => formatUnitTag(unit))).toEqual(tags);
});

test('a codec announced without parameters is announced once they arrive', () => {
  const reader = new UnitReader();
  const [header] = [opusHeader()];
  expect(reader.read({ ...header, body: header.body.subarray(0, 5) })).toEqual({ kind: 'idle' });
  expect(reader.read(header)).toMatchObject({ kind: 'unit', unit: { config: { codec: 'opus' } } });
  const video = videoHeader();
  expect(reader.read({ ...video, body: video.body.subarray(0, 5) })).toEqual({ kind: 'idle' });
  expect(reader.read(video)).toMatchObject({ kind: 'unit', unit: { config: { codec: 'avc1.4d401f' } } });
});

test('audio without data gives no unit', () => {
  expect(readAll([audioHeader(), audioFrame(0, 0), audioFrame(20)])).toMatchObject([{ type: 'config' }, { dts: 20 }]);
});

test('a frame is refused unless it is coded as its track was announced', () => {
  const reader = new UnitReader();
  reader.read(videoHeader());
  reader.read(audioHeader());
  expect(() => reader.read(av1Frame(0, { keyframe: true }))).toThrow(
    new MediaFormatError('A frame of AV1 arrived on a track of H.264.'),
  );
  expect(() => reader.read(opusPacket(0))).toThrow(new MediaFormatError('A frame of Opus arrived on a track of AAC.'));
});

test('a frame says when it was captured if its encoder stamped it', () => {
  const stamp = { capturedAtMs: 1_000, encodedAtMs: 1_040 };
  const { body, ...tag } = videoFrame(0, { keyframe: true });
  const stamped = { ...tag, body: Buffer.concat([body.subarray(0, 5), insertCaptureStamp(body.subarray(5), 4, stamp)]) };
  expect(readAll([videoHeader(), stamped, videoFrame(40)]).map((unit) => 'captured' in unit && unit.captured)).toEqual([
    false,
    stamp,
    false,
  ]);
});

test('Enhanced RTMP headers give the same units', () => {
  const tags = broadcast({ durationMs: 500, reorderMs: 40 });
  expect(readAll(tags.map((tag) => ({ ...tag, body: enhanceBody(tag) })))).toEqual(readAll(tags));
});

test('a keyframe is independent only if it is an IDR picture', () => {
  const units = readAll([videoHeader(), videoFrame(0, { keyframe: true, idr: false }), videoFrame(40, { idr: true })]);
  expect(units.slice(1)).toMatchObject([
    { keyframe: true, independent: false },
    { keyframe: false, independent: false },
  ]);
});

test('parameters are announced when they change, not when they repeat', () => {
  const sent = [videoHeader(), videoHeader(), audioHeader(), videoHeader('1920x1080 at 30'), audioHeader(), videoHeader()];
  const configs = readAll(sent).map((unit) => unit.type === 'config' && unit.config.codec);
  expect(configs).toEqual(['avc1.4d401f', 'mp4a.40.2', 'avc1.640028', 'avc1.4d401f']);
});

test('media before its parameters gives no unit', () => {
  expect(readAll([videoFrame(0, { keyframe: true }), audioFrame(0)])).toEqual([]);
});

test('times continue when 32-bit timestamps wrap, and configurations take the time of the media', () => {
  const wrapMs = 2 ** 32;
  const units = readAll([
    ...[videoHeader('1280x720', wrapMs - 60), audioHeader()],
    ...[videoFrame(wrapMs - 60, { keyframe: true }), videoFrame(wrapMs - 20), audioFrame(10), videoFrame(20)],
    videoHeader('1920x1080 at 30', 0),
  ]);
  expect(units.map(({ dts }) => dts - wrapMs)).toEqual([-60, -wrapMs, -60, -20, 10, 20, 20]);
});

test('times continue when the 31-bit timestamps that ffmpeg writes wrap, again and again', () => {
  const reader = new UnitReader({ timestampBits: 31 });
  const written = (timestampMs: number) => timestampMs % 2 ** 31;
  reader.read(videoHeader());
  const later = [1, 2, 3].map((quarters) => 2 ** 31 + quarters * 2 ** 29);
  const times = [2 ** 31 - 40, 2 ** 31 + 5, 2 ** 31 - 1, ...later, 2 ** 32 - 1, 2 ** 32 + 32];
  const read = times.map((timestampMs) => reader.read(videoFrame(written(timestampMs), { keyframe: true })));
  expect(read.map((each) => each.kind === 'unit' && each.unit.dts)).toEqual(times);
});

test('a malformed tag throws, and later tags are still read', () => {
  const reader = new UnitReader();
  reader.read(videoHeader());
  reader.read(audioHeader());
  const broken = videoFrame(0, { keyframe: true });
  broken.body.writeUInt32BE(5_000, 5);
  expect(() => reader.read(broken)).toThrow('A video frame has broken NAL unit lengths.');
  expect(() => reader.read(videoFrame(0, { compositionTimeMs: 10_001 }))).toThrow('composition time of 10001 ms');
  expect(() => reader.read(videoFrame(0, { compositionTimeMs: -10_001 }))).toThrow('composition time of -10001 ms');
  expect(() => reader.read(audioFrame(0, 100_000))).toThrow('An AAC frame has 100000 bytes.');
  expect(reader.read(videoFrame(0, { keyframe: true }))).toMatchObject({ kind: 'unit', unit: { dts: 0 } });
});

/** H.264 with length prefixes of 2 bytes. */
const shortPrefixes = '014d401ffde10019674d401feca02802dd80880000030008000003019078c18cb001000568ebe3cb20';

test.each([
  ['H.264', `1700000000${avcRecords['1280x720']}`, '1701000000', '00000000' + '0000000265aa' + '00000000', '0000000265aa'],
  [
    'H.264 with short prefixes',
    `1700000000${shortPrefixes}`,
    '1701000000',
    '0000' + '000265aa' + '0000' + '000141',
    '000265aa000141',
  ],
  ['HEVC', `9068766331${hevcRecord}`, '9368766331', '00000000' + '000000032801ac' + '00000000', '000000032801ac'],
])('empty NAL units of %s are dropped, and a frame of nothing else is malformed', (_name, header, frame, units, kept) => {
  const reader = new UnitReader();
  const read = (hex: string) => reader.read({ kind: 'video', timestampMs: 0, body: Buffer.from(hex, 'hex') });
  read(header);
  expect(read(frame + units)).toMatchObject({ unit: { data: Buffer.from(kept, 'hex'), keyframe: true, independent: true } });
  expect(() => read(`${frame}00000000`)).toThrow(MediaFormatError);
});

/** NAL units with length prefixes of 4 bytes. */
const inUnits = (...units: string[]) => units.map((hex) => `${(hex.length / 2).toString(16).padStart(8, '0')}${hex}`).join('');

const h264Start = { header: `1700000000${avcRecords['1280x720']}`, frame: '1701000000', picture: inUnits('65aa') };
const hevcStart = { header: `9068766331${hevcRecord}`, frame: '9368766331', picture: inUnits('2801ac') };

test.each([
  ['a message', h264Start, ['060501aa80']],
  ['a message and an empty NAL unit', h264Start, ['060501aa80', '']],
  ['parameter sets', h264Start, ['674d401f', '68ebe3cb20']],
  ['a delimiter', h264Start, ['09f0']],
  ['an end of sequence and of stream', h264Start, ['0a', '0b']],
  ['filler', h264Start, ['0cffff80']],
  ['a slice extension', h264Start, ['74aa']],
  ['a message', hevcStart, ['4e010501aa80']],
  ['a message after its picture', hevcStart, ['50010501aa80']],
  ['parameter sets', hevcStart, ['40010c01', '42010101', '4401c073']],
  ['a delimiter', hevcStart, ['460150']],
  ['an end of sequence and of stream', hevcStart, ['4801', '4a01']],
  ['filler', hevcStart, ['4c01ffff80']],
])('%s alone is no frame, and moves no clock', (_what, { header, frame, picture }, units) => {
  const reader = new UnitReader();
  const read = (timestampMs: number, hex: string) => reader.read({ kind: 'video', timestampMs, body: Buffer.from(hex, 'hex') });
  read(0, header);
  expect(read(9_000, frame + inUnits(...units))).toEqual({ kind: 'no-picture' });
  expect(read(40, frame + picture)).toMatchObject({ unit: { dts: 40, keyframe: true, independent: true } });
  expect(read(9_000, frame + inUnits(...units))).toEqual({ kind: 'no-picture' });
  expect(reader.read(audioHeader('48 kHz', 80))).toMatchObject({ unit: { type: 'config', dts: 40 } });
});

test.each([
  ['a slice', '41aa'],
  ['a data partition', '22aa'],
  ['a slice of an IDR picture', '65aa'],
])('%s of H.264 is a picture, whatever else is with it', (_what, slice) => {
  const reader = new UnitReader();
  const { header, frame } = h264Start;
  const read = (hex: string) => reader.read({ kind: 'video', timestampMs: 0, body: Buffer.from(hex, 'hex') });
  read(header);
  expect(read(frame + inUnits('09f0', '060501aa80', slice, '0cff80'))).toMatchObject({ kind: 'unit' });
});

test('frames whose messages are sent before them are the same units, keyframes too', () => {
  const tags = broadcast({ durationMs: 2_100, reorderMs: 40 });
  const sent = withMessageFrames(tags);
  expect(sent.length - tags.length).toBe(53);
  expect(readAll(sent)).toEqual(readAll(tags));
  expect(readAll([videoHeader(), messageFrame(0, { keyframe: true }), messageFrame(0)])).toHaveLength(1);
});

test('script data and commands give nothing, an end of sequence is recognised, and unsupported codecs are named', () => {
  const reader = new UnitReader();
  const read = (kind: FlvTag['kind'], hex: string) => reader.read({ kind, timestampMs: 0, body: Buffer.from(hex, 'hex') });
  expect(read('script', '02')).toEqual({ kind: 'nothing' });
  expect(read('video', '')).toEqual({ kind: 'nothing' });
  expect(read('video', '5700')).toEqual({ kind: 'nothing' });
  expect(read('video', '1702000000')).toEqual({ kind: 'end-of-sequence' });
  expect(read('audio', '2f')).toEqual({ kind: 'unsupported', track: 'audio', what: 'MP3' });
});
