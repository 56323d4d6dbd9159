import { expect, test } from 'vitest';
import { findUndecodable } from './undecodable.ts';

const urlOf = (name: string) => `http://127.0.0.1/hls/show/${name}/index.m3u8`;
const listed = (name: string, codecs: string) => ({ url: urlOf(name), attrs: { CODECS: codecs } });
const played = (name: string, codecs: string) => ({ url: [urlOf(name)], attrs: { CODECS: codecs } });

test('a rendition that is listed but not played is one whose codecs the browser does not decode', () => {
  const playlist = [listed('source', 'hvc1.1.6.L60.90,mp4a.40.2'), listed('480p', 'avc1.64001f,mp4a.40.2')];
  expect(findUndecodable(playlist, [played('480p', 'avc1.64001f,mp4a.40.2')])).toEqual(['source']);
});

test('of two alike, hls.js plays one, and both can be decoded', () => {
  const playlist = [listed('480p', 'avc1.64001f'), listed('480p-again', 'avc1.64001f')];
  expect(findUndecodable(playlist, [played('480p', 'avc1.64001f')])).toEqual([]);
});
