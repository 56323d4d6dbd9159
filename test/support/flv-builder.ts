import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { type Amf0Value, formatAmf0 } from '../../src/service/rtmp/amf0.ts';

/** AVCDecoderConfigurationRecords as x264 wrote them, by picture size; the PQ one has the colours of BT.2100 added. */
export const avcRecords = {
  '1280x720': '014d401fffe10019674d401feca02802dd80880000030008000003019078c18cb001000568ebe3cb20',
  '1280x720 in PQ': '014d401fffe1001c674d401feca02802dd80b509100940000003004000000c83c60c658001000568ebe3cb20',
  '1920x1080 at 30': '01640028ffe1001b67640028acd940780227e5c044000003000400000300f23c60c65801000668ebe3cb22c0fdf8f800',
} as const;

/** AudioSpecificConfigs: AAC-LC stereo. */
export const aacConfigs = { '44.1 kHz': '1210', '48 kHz': '1190' } as const;

/** An encoder's `onMetaData`. */
export function encoderMetadata(properties: Record<string, Amf0Value>): FlvTag {
  return { kind: 'script', timestampMs: 0, body: formatAmf0('onMetaData', new Map(Object.entries(properties))) };
}

/** The AVC sequence header. */
export function videoHeader(record: keyof typeof avcRecords = '1280x720', timestampMs = 0): FlvTag {
  return { kind: 'video', timestampMs, body: Buffer.from(`1700000000${avcRecords[record]}`, 'hex') };
}

export interface VideoFrameOptions {
  keyframe?: boolean;
  /** Whether it is an IDR picture: by default for keyframes, but not for those of open GOPs. */
  idr?: boolean;
  compositionTimeMs?: number;
  /** Size of the NAL unit, without its length prefix. */
  sizeBytes?: number;
}

/** A frame of one NAL unit that resembles H.264 only from outside. */
export function videoFrame(
  timestampMs: number,
  { keyframe = false, idr = keyframe, compositionTimeMs = 0, sizeBytes = 100 }: VideoFrameOptions = {},
): FlvTag {
  const body = Buffer.alloc(5 + 4 + sizeBytes, idr ? 0x65 : 0x41);
  body.writeUInt8(keyframe ? 0x17 : 0x27, 0);
  body.writeUInt8(1, 1);
  body.writeIntBE(compositionTimeMs, 2, 3);
  body.writeUInt32BE(sizeBytes, 5);
  return { kind: 'video', timestampMs: timestampMs % 2 ** 32, body };
}

/** A video message with only supplemental information: the user data of an unknown UUID (ISO/IEC 14496-10 §D.1.7). */
export function messageFrame(timestampMs: number, { keyframe = false, compositionTimeMs = 0 } = {}): FlvTag {
  const body = Buffer.from(`${keyframe ? '17' : '27'}01000000${'00000016' + '060512'}${'11'.repeat(16)}aabb80`, 'hex');
  body.writeIntBE(compositionTimeMs, 2, 3);
  return { kind: 'video', timestampMs: timestampMs % 2 ** 32, body };
}

/** The tags with such a message before each frame, of the same time, as some drones and cameras send them. */
export function withMessageFrames(tags: readonly FlvTag[]): FlvTag[] {
  return tags.flatMap((tag) => {
    const { kind, timestampMs, body } = tag;
    if (kind !== 'video' || body[1] !== 1) return [tag];
    const message = { keyframe: body[0] === 0x17, compositionTimeMs: body.readIntBE(2, 3) };
    return [messageFrame(timestampMs, message), tag];
  });
}

/** The AAC sequence header. */
export function audioHeader(config: keyof typeof aacConfigs = '48 kHz', timestampMs = 0): FlvTag {
  return { kind: 'audio', timestampMs, body: Buffer.from(`af00${aacConfigs[config]}`, 'hex') };
}

/** An AAC frame that resembles one only from outside. */
export function audioFrame(timestampMs: number, sizeBytes = 20): FlvTag {
  return {
    kind: 'audio',
    timestampMs: timestampMs % 2 ** 32,
    body: Buffer.concat([Buffer.from('af01', 'hex'), Buffer.alloc(sizeBytes, 0x21)]),
  };
}

export interface BroadcastOptions {
  /** First timestamp and length. */
  startMs?: number;
  durationMs: number;
  fps?: number;
  /** Frames from one keyframe to the next: two seconds by default. */
  gopFrames?: number;
  /** Whether only the first keyframe is an IDR picture. */
  openGops?: boolean;
  /** Composition time of every frame. */
  reorderMs?: number;
  video?: boolean;
  /** Audio ends, or begins, at these times, counted from the start. */
  audioFromMs?: number;
  audioToMs?: number;
  headers?: boolean;
  /** Size of each video frame. */
  frameBytes?: number;
}

/** Tags in the order a publisher sends them: headers, then audio and video by time. 48 kHz, timestamps rounded down to milliseconds. */
export function broadcast(options: BroadcastOptions): FlvTag[] {
  const {
    startMs = 0,
    durationMs,
    fps = 25,
    gopFrames = Math.round(fps * 2),
    openGops = false,
    reorderMs = 0,
    video = true,
    headers = true,
    frameBytes = 100,
  } = options;
  const { audioFromMs = 0, audioToMs = durationMs } = options;
  const tags: FlvTag[] = [];
  for (let index = 0; video && (index * 1000) / fps < durationMs; index += 1) {
    const keyframe = index % gopFrames === 0;
    const idr = keyframe && (index === 0 || !openGops);
    const frame = { keyframe, idr, compositionTimeMs: reorderMs, sizeBytes: frameBytes };
    tags.push(videoFrame(startMs + Math.floor((index * 1000) / fps), frame));
  }
  for (let index = 0; (index * 1024) / 48 < audioToMs; index += 1) {
    const offsetMs = Math.floor((index * 1024) / 48);
    if (offsetMs >= audioFromMs) tags.push(audioFrame(startMs + offsetMs));
  }
  tags.sort((one, other) => (one.timestampMs - other.timestampMs) | 0 || (one.kind < other.kind ? 1 : -1));
  if (!headers) return tags;
  return [
    ...(video ? [videoHeader('1280x720', startMs % 2 ** 32)] : []),
    ...(audioToMs > audioFromMs ? [audioHeader('48 kHz', startMs % 2 ** 32)] : []),
    ...tags,
  ];
}

/** The ID header of stereo Opus, under the Enhanced RTMP header. */
export function opusHeader(): FlvTag {
  return { kind: 'audio', timestampMs: 0, body: Buffer.from('904f7075734f707573486561640102380180bb0000000000', 'hex') };
}

/** First bytes of packets with one stereo frame, by duration: CELT, and SILK for the longest (RFC 6716 §3.1). */
const opusContents = { 2.5: 0xe4, 5: 0xec, 10: 0xf4, 20: 0xfc, 60: 0x1c } as const;
export type OpusFrameMs = keyof typeof opusContents;

/** An Opus packet that resembles one only from outside. */
export function opusPacket(timestampMs: number, frameMs: OpusFrameMs = 20): FlvTag {
  const body = Buffer.concat([Buffer.from('914f707573', 'hex'), Buffer.of(opusContents[frameMs]), Buffer.alloc(20, 0x21)]);
  return { kind: 'audio', timestampMs, body };
}

/** The configuration of AV1 at 320 by 180, as SVT-AV1 wrote it. */
const av1Record = '81000c000a0b0200000521e7f66017c002';

/** The same under the Enhanced RTMP header. */
export function av1Header(): FlvTag {
  return { kind: 'video', timestampMs: 0, body: Buffer.from(`9061763031${av1Record}`, 'hex') };
}

/** A temporal unit of one frame after its delimiter; it resembles AV1 only from outside. A keyframe may be shown later. */
export function av1Frame(timestampMs: number, { keyframe = false, shown = true } = {}): FlvTag {
  const units = keyframe ? `${av1Record.slice(8)}3203${shown ? '10' : '00'}aabb` : '320330aabb';
  return { kind: 'video', timestampMs, body: Buffer.from(`${keyframe ? '91' : 'a1'}617630311200${units}`, 'hex') };
}

/** The same tags, with no video frame marked as a keyframe. */
export function withoutKeyframes(tags: readonly FlvTag[]): FlvTag[] {
  return tags.map((tag) => (tag.kind === 'video' && tag.body[1] === 1 ? videoFrame(tag.timestampMs) : tag));
}
