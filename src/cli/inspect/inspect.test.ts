import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messageFrame, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pack, segmentBytes } from '../../../test/support/pack.ts';
import { captureNames, clientHandshakeBytes, readCapture, readCaptureTags } from '../../../test/support/rtmp-captures.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { makeTestFolder } from '../../../test/support/store-stand.ts';
import { formatFlvHeader, formatFlvTag } from '../../service/flv/flv-file.ts';
import { formatBox } from '../../service/media/fmp4-box.ts';
import { insertCaptureStamp } from '../../service/media/h264-capture-stamp.ts';
import { formatAmf0 } from '../../service/rtmp/amf0.ts';
import type { InspectedLine } from './inspected-line.ts';

const fixtures = fileURLToPath(new URL('../../../test/fixtures', import.meta.url));
const flvPath = join(fixtures, 'media/eight-seconds.flv');
const capturePath = (name: string) => join(fixtures, 'rtmp', `${name}.rtmp-capture`);

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** Writes a test file and returns its path. */
function write(name: string, ...parts: readonly Buffer[]): string {
  const path = join(folder.path, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

const inspect = (...args: string[]) => runCommand('inspect', ...args);

const expectText = async ({ status, stdout, stderr }: Awaited<ReturnType<typeof inspect>>, name: string) => {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(join(fixtures, 'inspect', name));
};
const parseLines = (stdout: string) =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as InspectedLine);

/** Bytes in Flash Video before the data of each track's tags. */
const headerBytes = { video: 5, audio: 2 };

/** A line in the format of the tag lists beside the captures. */
function describeTag(line: InspectedLine): string | undefined {
  switch (line.kind) {
    case 'metadata':
      return 'script';
    case 'left-out':
      return `${line.what} ${line.timestampMs} ${line.sizeBytes}`;
    case 'fragment':
      return undefined;
    default:
      return `${line.track} ${line.dts} ${line.sizeBytes + headerBytes[line.track]}`;
  }
}

describe.each(captureNames)('the capture of %s', (name) => {
  test('is printed as units with times', async () => {
    await expectText(await inspect(capturePath(name)), `${name}.txt`);
  });

  test('is printed as lines of JSON that match what other programs find', async () => {
    const { status, stdout } = await inspect('--json', capturePath(name));
    expect(status).toBe(0);
    const tags = readCaptureTags(name).map((tag) => (tag.startsWith('script') ? 'script' : tag));
    expect(parseLines(stdout).map(describeTag)).toEqual(tags);
  });
});

test('an FLV file is printed as units with times, and as lines of JSON', async () => {
  await expectText(await inspect(flvPath), 'eight-seconds.txt');
  await expectText(await inspect(flvPath, '--json'), 'eight-seconds.jsonl');
});

describe('a segment of our packager', () => {
  const { segments } = pack(readEightSeconds());
  const [segment] = segments;
  const media = segmentBytes(segment!);
  const init = segment!.init.bytes;

  test('is printed with its init segment before it or in a separate file', async () => {
    const apart = await inspect(write('1.m4s', media), '--init', write('init.mp4', init));
    await expectText(apart, 'segment-with-init.txt');
    const { stdout } = await inspect(write('whole.mp4', init, media));
    const withoutPositions = (text: string) => text.replaceAll(/at byte \d+/g, '');
    expect(withoutPositions(stdout)).toBe(withoutPositions(apart.stdout));
  });

  test('is printed after media that its init segment describes, as some recorders write it', async () => {
    const { status, stdout } = await inspect(write('mixed.mp4', init, formatBox('mdat', Buffer.alloc(100)), media));
    const [, , fragment, unit] = stdout.split('\n');
    expect({ status, fragment, unit }).toMatchObject({
      status: 0,
      fragment: expect.stringMatching(/^fragment/),
      unit: expect.stringMatching(/^unit {6}video/),
    });
  });

  test('is printed in ticks without its init segment', async () => {
    await expectText(await inspect(write('1.m4s', media)), 'segment.txt');
    await expectText(await inspect(write('1.m4s', media), '--json'), 'segment.jsonl');
  });

  test('names its samples without a picture and continues', async () => {
    const without = Buffer.from(media);
    // The first sample becomes one NAL unit of supplemental information.
    without.writeUInt32BE(2190 - 4, without.indexOf('mdat') + 4);
    without.writeUInt8(0x06, without.indexOf('mdat') + 8);
    const { stdout } = await inspect(write('whole.mp4', init, media));
    const lines = stdout.split('\n');
    lines[3] = 'left out  video   2190 bytes: A video sample has no picture.';
    expect((await inspect(write('without.mp4', init, without))).stdout.split('\n')).toEqual(lines);
  });

  test('names samples of a track that is neither video nor audio', async () => {
    const captions = Buffer.from(init);
    // The handler of the second track becomes that of timed text (ISO/IEC 14496-12 §12.6).
    captions.write('text', captions.indexOf('soun'), 'latin1');
    const { status, stdout } = await inspect(write('captions.mp4', captions, media));
    const whole = await inspect(write('whole.mp4', init, media));
    const lines = whole.stdout.split('\n').flatMap((line) => {
      if (line.startsWith('config    audio')) return [];
      if (!line.startsWith('unit      audio')) return [line];
      const bytes = /\d+ bytes/.exec(line)?.[0];
      return [`left out  box     ${bytes}: Track 2 is not a video or audio track of the init segment.`];
    });
    const withoutPositions = (text: string) => text.replaceAll(/at byte \d+/g, '');
    expect({ status, stdout: withoutPositions(stdout) }).toEqual({ status: 0, stdout: withoutPositions(lines.join('\n')) });
  });

  test('names its malformed frames and continues', async () => {
    const broken = Buffer.from(media);
    // The length prefix of the first NAL unit.
    broken.writeUInt32BE(0xffffff, broken.indexOf('mdat') + 4);
    const { status, stdout } = await inspect(write('broken.mp4', init, broken));
    const whole = await inspect(write('whole.mp4', init, media));
    const lines = whole.stdout.split('\n');
    lines[3] = 'left out  video   2190 bytes: A video frame has broken NAL unit lengths.';
    expect({ status, lines: stdout.split('\n') }).toEqual({ status: 0, lines });
  });
});

test('what a file says can neither control the terminal nor break a line', async () => {
  const init = Buffer.from(pack(readEightSeconds()).segments[0]!.init.bytes);
  init.write('\u001b[2J', init.indexOf('avc1', init.indexOf('stsd')), 'latin1');
  const track = await inspect(write('init.mp4', init));
  expect(track.stdout.split('\n')[0]).toBe('left out  video   0 bytes: \\u001b[2J tracks are not supported.');

  const name = 'a\u009b\u202e\u2028\u007fb';
  const field = (text: string) => Buffer.concat([Buffer.from([0, Buffer.byteLength(text)]), Buffer.from(text)]);
  // onMetaData with an object of one string (AMF 0 §2.4, §2.5).
  const body = [Buffer.of(2), field('onMetaData'), Buffer.of(3), field('title'), Buffer.of(2), field(name), Buffer.of(0, 0, 9)];
  const tag = formatFlvTag({ kind: 'script', timestampMs: 0, body: Buffer.concat(body) });
  const path = write('named.flv', formatFlvHeader({ hasAudio: true, hasVideo: true }), tag);
  expect((await inspect(path)).stdout).toBe('metadata          at 0 ms  {"title":"a\\u009b\\u202e\\u2028\\u007fb"}\n');
  const { stdout } = await inspect('--json', path);
  expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
  expect(parseLines(stdout)).toEqual([{ kind: 'metadata', timestampMs: 0, values: { title: name } }]);
});

test('data that makes no unit is named and skipped', async () => {
  const tag = (kind: 'audio' | 'video' | 'script', timestampMs: number, hex: string) =>
    formatFlvTag({ kind, timestampMs, body: Buffer.from(hex, 'hex') });
  const path = write(
    'odd.flv',
    formatFlvHeader({ hasAudio: true, hasVideo: true }),
    tag('script', 0, '02'),
    tag('video', 1, '1701000000aabb'),
    tag('video', 2, '17000000000102'),
    tag('video', 3, '17'),
    tag('video', 4, 'c000'),
    tag('audio', 5, '2f00'),
    tag('audio', 6, 'af001190'),
    tag('audio', 7, 'af001190'),
    tag('audio', 8, 'af0121'),
  );
  expect(await inspect(path)).toEqual({
    status: 0,
    stderr: '',
    stdout: `\
left out  script  at 0 ms  1 bytes: It has no metadata.
left out  video   at 1 ms  7 bytes: Repeated parameters, or media before its parameters.
left out  video   at 2 ms  7 bytes: AVC configuration of 2 bytes is too short.
left out  video   at 3 ms  1 bytes: A video message is too short.
left out  video   at 4 ms  2 bytes: A video message is too short.
left out  audio   at 5 ms  2 bytes: MP3 is not supported.
config    audio   dts       6.000 ms  AAC mp4a.40.2  48000 Hz  2 ch  2 bytes
left out  audio   at 7 ms  4 bytes: Repeated parameters, or media before its parameters.
unit      audio   dts       8.000 ms  pts       8.000 ms        1 bytes
`,
  });
});

test('metadata that is too large, as with an index of very many keyframes, or malformed is not none', async () => {
  const keyframes = new Map([['times', Array.from({ length: 5_000 }, (_, index) => 2 * index)]]);
  const bodies = [
    formatAmf0('onMetaData', new Map([['keyframes', keyframes]])),
    formatAmf0('onMetaData'),
    formatAmf0('onCuePoint'),
  ];
  const tags = bodies.map((body) => formatFlvTag({ kind: 'script', timestampMs: 0, body }));
  expect((await inspect(write('indexed.flv', formatFlvHeader({ hasAudio: true, hasVideo: true }), ...tags))).stdout).toBe(`\
left out  script  at 0 ms  45052 bytes: Its metadata is too large or malformed.
left out  script  at 0 ms  13 bytes: Its metadata is too large or malformed.
left out  script  at 0 ms  13 bytes: It has no metadata.
`);
});

test('a message without a picture is named and skipped', async () => {
  const tags = [videoHeader(), messageFrame(40, { keyframe: true }), videoFrame(40, { keyframe: true })].map(formatFlvTag);
  const { stdout } = await inspect(write('messages.flv', formatFlvHeader({ hasAudio: false, hasVideo: true }), ...tags));
  expect(stdout.split('\n').slice(1)).toEqual([
    'left out  video   at 40 ms  31 bytes: It has no picture.',
    'unit      video   dts      40.000 ms  pts      40.000 ms      104 bytes  keyframe  independent',
    '',
  ]);
});

test('a capture time beyond the last date is printed in milliseconds', async () => {
  const frame = (timestampMs: number, capturedAtMs: number) => {
    const { body, ...tag } = videoFrame(timestampMs, { keyframe: true });
    const stamped = insertCaptureStamp(body.subarray(5), 4, { capturedAtMs, encodedAtMs: capturedAtMs });
    return { ...tag, body: Buffer.concat([body.subarray(0, 5), stamped]) };
  };
  const tags = [videoHeader(), frame(0, 8_640_000_000_000_000), frame(40, 8_640_000_000_000_001)].map(formatFlvTag);
  const path = write('stamped.flv', formatFlvHeader({ hasAudio: false, hasVideo: true }), ...tags);
  const { status, stdout, stderr } = await inspect(path);
  expect({ status, stderr, lines: stdout.split('\n').slice(1) }).toEqual({
    status: 0,
    stderr: '',
    lines: [
      'unit      video   dts       0.000 ms  pts       0.000 ms      145 bytes  keyframe  independent  captured +275760-09-13T00:00:00.000Z',
      'unit      video   dts      40.000 ms  pts      40.000 ms      144 bytes  keyframe  independent  captured at 8640000000000001 ms',
      '',
    ],
  });
  expect(parseLines((await inspect('--json', path)).stdout)[2]).toMatchObject({ capturedAtMs: 8_640_000_000_000_001 });
});

describe('a truncated or broken file is printed up to that point and fails with 1', () => {
  const cases = {
    'ends inside the header of FLV': {
      bytes: readFileSync(flvPath).subarray(0, 12),
      like: undefined,
      sentence: 'The file ends inside its header.',
    },
    'ends inside a tag': {
      bytes: readFileSync(flvPath).subarray(0, -1),
      like: flvPath,
      sentence: 'The file ends inside a tag, after 19 bytes of it.',
    },
    'has an unknown tag': {
      bytes: Buffer.concat([readFileSync(flvPath), Buffer.from([77]), Buffer.alloc(10)]),
      like: flvPath,
      sentence: 'FLV tag type 77 is unknown.',
    },
    'ends inside a message': {
      bytes: readCapture('obs').subarray(0, -10),
      like: capturePath('obs'),
      sentence: 'The file ends inside a message.',
    },
    'breaks the chunk stream': {
      bytes: Buffer.concat([readCapture('obs'), Buffer.from([0xfe])]),
      like: capturePath('obs'),
      sentence: 'A chunk stream began with a header without a message length.',
    },
    'ends inside the handshake': {
      bytes: readCapture('obs').subarray(0, clientHandshakeBytes - 1),
      like: undefined,
      sentence: 'The file ends inside the handshake.',
    },
  };
  test.each(Object.entries(cases))('it %s', async (_name, { bytes, like, sentence }) => {
    const path = write('file', bytes);
    const { status, stdout, stderr } = await inspect(path);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `tallylight: Cannot read the rest of ${path}. ${sentence}\n` });
    const whole = like === undefined ? '' : (await inspect(like)).stdout;
    expect(whole.startsWith(stdout)).toBe(true);
    // At most the last tag is missing.
    expect(whole.split('\n').length - stdout.split('\n').length).toBeLessThanOrEqual(1);
  });
});

describe('an unknown file fails with a sentence and status 2', () => {
  const bytes = Buffer.from(pack(readEightSeconds()).segments[0]!.init.bytes);
  // Without the box that announces fragments.
  bytes.write('free', bytes.indexOf('mvex'), 'latin1');
  const moovAt = bytes.indexOf('moov') - 4;
  const plainMp4 = [
    bytes.subarray(0, moovAt),
    formatBox('mdat', Buffer.alloc(1000)),
    // The index of an hour is larger than one read.
    formatBox('moov', bytes.subarray(moovAt + 8), formatBox('free', Buffer.alloc(200_000))),
  ];
  test.each<[string, (path: string) => string[], (path: string) => string]>([
    ['missing', (path) => [join(path, 'none')], (path) => `${join(path, 'none')} does not exist.`],
    ['a folder', (path) => [path], (path) => `Cannot read ${path} (EISDIR).`],
    ['empty', () => [write('empty')], (path) => `${join(path, 'empty')} is not an FLV file, RTMP capture or fMP4 segment.`],
    [
      'text',
      () => [write('notes.txt', Buffer.from('Sunday show'))],
      (path) => `${join(path, 'notes.txt')} is not an FLV file, RTMP capture or fMP4 segment.`,
    ],
    [
      'an FLV with an init segment',
      () => [flvPath, '--init', flvPath],
      () => `--init only applies to fMP4; ${flvPath} is FLV.`,
    ],
    [
      'a segment with another init segment',
      (path) => [write('1.m4s', Buffer.from('00000008moof')), '--init', join(path, '1.m4s')],
      (path) => `${join(path, '1.m4s')} is not an FLV file, RTMP capture or fMP4 segment.`,
    ],
    [
      'an MP4 without fragments, as most programs record it',
      () => [write('recording.mp4', ...plainMp4)],
      (path) => `${join(path, 'recording.mp4')} is an MP4 file without fragments, not an fMP4 segment.`,
    ],
    [
      'an MP4 without fragments whose index is in front',
      () => [write('faststart.mp4', ...[0, 2, 1].map((index) => plainMp4[index]!))],
      (path) => `${join(path, 'faststart.mp4')} is an MP4 file without fragments, not an fMP4 segment.`,
    ],
    [
      'a segment whose init segment is an MP4 without fragments',
      () => [write('1.m4s', Buffer.from('0000000866726565', 'hex')), '--init', write('recording.mp4', ...plainMp4)],
      (path) => `${join(path, 'recording.mp4')} is an MP4 file without fragments, not an fMP4 segment.`,
    ],
    [
      'a segment whose init segment is an FLV',
      () => [write('1.m4s', Buffer.from('0000000866726565', 'hex')), '--init', flvPath],
      () => `${flvPath} is not an fMP4 init segment.`,
    ],
  ])('%s', async (_name, args, sentence) => {
    expect(await inspect(...args(folder.path))).toEqual({
      status: 2,
      stdout: '',
      stderr: `tallylight: ${sentence(folder.path)}\n`,
    });
  });
});
