import { expect, test } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { PlaylistCache } from './playlist-cache.ts';

/** A rendition of `segments` segments. */
function rendition(name: string, segments: number) {
  const store = createSegmentStore();
  for (let index = 0; index < segments; index += 1) appendSegment(store, packagedSegment());
  return { name, store };
}

test('a media playlist is rendered and compressed once for each change of its rendition, whole and as a delta update', () => {
  const cache = new PlaylistCache();
  const [source, small] = [rendition('source', 12), rendition('small', 12)];
  const read = () => [false, true].map((delta) => cache.media(source, [source, small], delta));
  const [whole, delta] = read();
  expect(delta?.bytes.toString()).toContain('#EXT-X-SKIP:');
  expect(whole?.bytes.toString()).not.toContain('#EXT-X-SKIP:');
  const again = read();
  for (const [index, text] of [whole, delta].entries()) {
    expect(again[index]).toBe(text);
    expect(again[index]?.gzipped).toBe(text?.gzipped);
  }
  appendSegment(source.store, packagedSegment());
  for (const [index, text] of read().entries()) expect(text).not.toBe(again[index]);
});

test('the multivariant playlist is rendered once for each segment, not for each part', () => {
  const cache = new PlaylistCache();
  const renditions = [rendition('source', 2), rendition('small', 2)];
  const [source] = renditions;
  const text = cache.multivariant(renditions);
  beginSegment(source!.store, packagedSegment());
  source?.store.addPart({ bytes: Buffer.from('part'), durationSeconds: 0.2, independent: true });
  expect(cache.multivariant(renditions)).toBe(text);
  completeSegment(source!.store, packagedSegment());
  const afterSegment = cache.multivariant(renditions);
  expect(afterSegment).not.toBe(text);
  expect(cache.multivariant(renditions)).toBe(afterSegment);
});

test('a playlist reports how far each other rendition is, but none that is not offered', () => {
  const part = { bytes: Buffer.from('part'), durationSeconds: 0.2, independent: true };
  const [source, open, begun, gap, away] = ['source', 'open', 'begun', 'gap', 'away'].map((name) => rendition(name, 2)) as [
    ReturnType<typeof rendition>,
    ...ReturnType<typeof rendition>[],
  ];
  beginSegment(open!.store, packagedSegment());
  for (let index = 0; index < 3; index += 1) open!.store.addPart(part);
  beginSegment(begun!.store, packagedSegment());
  const place = { msn: 2, discontinuity: false, discontinuitySequence: 0, shiftMs: 0 };
  gap!.store.appendGap({ place, startMs: 4_000, programDateTimeMs: Date.UTC(2030, 0, 1), durationSeconds: 2 });
  away!.store.leave();
  const text = new PlaylistCache().media(source, [source, open!, begun!, gap!, away!]).bytes.toString();
  expect(text.split('\n').filter((line) => line.startsWith('#EXT-X-RENDITION-REPORT:'))).toEqual([
    '#EXT-X-RENDITION-REPORT:URI="../open/index.m3u8",LAST-MSN=2,LAST-PART=2',
    '#EXT-X-RENDITION-REPORT:URI="../begun/index.m3u8",LAST-MSN=1,LAST-PART=0',
    '#EXT-X-RENDITION-REPORT:URI="../gap/index.m3u8",LAST-MSN=2',
  ]);
});
