import type { FeedFormat } from './feed-format.ts';
import { sampleRate } from './feed-format.ts';

/** Numbers of the tracks in {@link formatHeader}'s header. */
export const trackNumbers = { video: 1, audio: 2 } as const;
export type Tracks = Readonly<Record<keyof typeof trackNumbers, boolean>>;

/**
 * The colours of HD (ITU-R BT.709) in limited range: matrix, range, transfer characteristics and primaries (RFC 9559, "Colour Element").
 * The encoder copies them to its output: players may take the colours of a small picture without them for SD's.
 */
const hdColours = ['55b1', '55b9', '55ba', '55bb'].map((id) => element(id, number(1)));

/** Raw pictures and sound in Matroska (RFC 9559): the simplest stream with timestamps that ffmpeg reads from a pipe. */
export function formatHeader({ width, height, fps }: FeedFormat, { video, audio }: Tracks): Buffer {
  const header = element('1a45dfa3', [
    element('4282', Buffer.from('matroska')),
    element('4287', number(4)),
    element('4285', number(2)),
  ]);
  // One tick of the timestamps is a millisecond.
  const info = element('1549a966', [
    element('2ad7b1', number(1_000_000)),
    element('4d80', Buffer.from('Tallylight')),
    element('5741', Buffer.from('Tallylight')),
  ]);
  const pictures = element('ae', [
    ...trackEntry(trackNumbers.video, 1, 'V_UNCOMPRESSED'),
    element('23e383', number(Math.round(1e9 / fps))),
    element('e0', [
      element('b0', number(width)),
      element('ba', number(height)),
      element('2eb524', Buffer.from('I420')),
      element('55b0', hdColours),
    ]),
  ]);
  const sound = element('ae', [
    ...trackEntry(trackNumbers.audio, 2, 'A_PCM/INT/LIT'),
    element('e1', [element('b5', float(sampleRate)), element('9f', number(2)), element('6264', number(16))]),
  ]);
  const tracks = element('1654ae6b', [...(video ? [pictures] : []), ...(audio ? [sound] : [])]);
  // A segment of unknown length: it ends with the stream.
  return Buffer.concat([header, Buffer.from('1853806701ffffffffffffff', 'hex'), info, tracks]);
}

/** One block of a cluster. `data` follows it on the wire. */
export interface Block {
  track: number;
  sizeBytes: number;
}

/** The bytes before the data of each block of a cluster whose blocks all have this time, in milliseconds. */
export function formatCluster(timeMs: number, blocks: readonly Block[]): Buffer[] {
  const time = element('e7', number(timeMs));
  const heads = blocks.map(({ track, sizeBytes }) =>
    Buffer.concat([head('a3', sizeBytes + 4), Buffer.from([0x80 | track, 0, 0, 0x80])]),
  );
  const contentBytes = blocks.reduce((sum, { sizeBytes }, index) => sum + sizeBytes + (heads[index]?.length ?? 0), time.length);
  const cluster = Buffer.concat([head('1f43b675', contentBytes), time]);
  return heads.map((bytes, index) => (index === 0 ? Buffer.concat([cluster, bytes]) : bytes));
}

function trackEntry(trackNumber: number, type: number, codec: string): Buffer[] {
  return [
    element('d7', number(trackNumber)),
    element('73c5', number(trackNumber)),
    element('83', number(type)),
    // No lacing: each block is one picture, or one run of samples.
    element('9c', number(0)),
    element('86', Buffer.from(codec)),
  ];
}

/** An element's id, in hexadecimal, and the size of its content, in eight bytes. */
function head(id: string, sizeBytes: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(sizeBytes) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size]);
}

function element(id: string, content: Buffer | Buffer[]): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  return Buffer.concat([head(id, bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
