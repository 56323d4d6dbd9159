import { findFfmpeg } from '../../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../../src/shared/words/ffmpeg-words.ts';

/** By `TALLYLIGHT_FFMPEG`, which tests change. */
const searches = new Map<string | undefined, ReturnType<typeof findFfmpeg>>();

/**
 * The ffmpeg that the service would use. A search starts ffmpeg, so each is made once.
 *
 * @throws where there is none
 */
export async function getFfmpeg(): Promise<{ path: string; version: string }> {
  const asked = process.env.TALLYLIGHT_FFMPEG;
  const search = searches.get(asked) ?? findFfmpeg();
  searches.set(asked, search);
  const found = await search;
  if (found.kind === 'missing') throw new Error(describeMissingFfmpeg(found.reason));
  return { path: found.path, version: found.version };
}
