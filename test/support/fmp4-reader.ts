/** A box as it lies in the file. */
export interface Box {
  type: string;
  content: Buffer;
}

/** The boxes in these bytes, which must be whole. */
export function readBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let position = 0; position < bytes.length; ) {
    const sizeBytes = bytes.readUInt32BE(position);
    if (sizeBytes < 8 || position + sizeBytes > bytes.length) throw new Error(`Box of ${sizeBytes} bytes at ${position}.`);
    boxes.push({
      type: bytes.toString('latin1', position + 4, position + 8),
      content: bytes.subarray(position + 8, position + sizeBytes),
    });
    position += sizeBytes;
  }
  return boxes;
}

/** The content of the box at this path; the first one of each name. */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let content: Buffer | undefined = bytes;
  for (const type of path) content = content && readBoxes(content).find((box) => box.type === type)?.content;
  return content;
}

export interface ReadSample {
  dts: number;
  compositionOffset: number;
  duration: number;
  sync: boolean;
  data: Buffer;
}

/** The samples of each track of a media segment, by track id, read by the rules of ISO/IEC 14496-12 §8.8. */
export function readSegment(segment: Buffer): Map<number, ReadSample[]> {
  const tracks = new Map<number, ReadSample[]>();
  let moofStart = 0;
  let fragments = 0;
  for (const { type, content } of readBoxes(segment)) {
    if (type === 'moof') {
      fragments += 1;
      readFragment(segment, moofStart, content, tracks);
    }
    moofStart += 8 + content.length;
  }
  if (fragments === 0) throw new Error('No moof.');
  return tracks;
}

/** The fragments of a segment, each a `moof` and its `mdat` with what stands before them: its parts. */
export function splitFragments(segment: Buffer): Buffer[] {
  const fragments: Buffer[] = [];
  let start = 0;
  let end = 0;
  for (const { type, content } of readBoxes(segment)) {
    end += 8 + content.length;
    if (type !== 'mdat') continue;
    fragments.push(segment.subarray(start, end));
    start = end;
  }
  return fragments;
}

function readFragment(segment: Buffer, moofStart: number, moof: Buffer, tracks: Map<number, ReadSample[]>): void {
  for (const { content: traf } of readBoxes(moof).filter(({ type }) => type === 'traf')) {
    const tfhd = findBox(traf, 'tfhd');
    const tfdt = findBox(traf, 'tfdt');
    const trun = findBox(traf, 'trun');
    if (!tfhd || !tfdt || !trun) throw new Error('An incomplete traf.');
    let dts = Number(tfdt.readBigUInt64BE(4));
    let dataStart = moofStart + trun.readInt32BE(8);
    const trackId = tfhd.readUInt32BE(4);
    const samples = tracks.get(trackId) ?? [];
    for (let index = 0; index < trun.readUInt32BE(4); index += 1) {
      const at = 12 + index * 16;
      const duration = trun.readUInt32BE(at);
      const sizeBytes = trun.readUInt32BE(at + 4);
      samples.push({
        dts,
        compositionOffset: trun.readInt32BE(at + 12),
        duration,
        sync: (trun.readUInt32BE(at + 8) & 0x10000) === 0,
        data: segment.subarray(dataStart, dataStart + sizeBytes),
      });
      dts += duration;
      dataStart += sizeBytes;
    }
    tracks.set(trackId, samples);
  }
}
