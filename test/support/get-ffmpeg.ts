import { findFfmpeg } from '../../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../../src/shared/words/ffmpeg-words.ts';

/** Searches by the value of `TALLYLIGHT_FFMPEG`, which tests change. Failed ones aren't kept: a test may install an ffmpeg there. */
const searches = new Map<string | undefined, ReturnType<typeof findFfmpeg>>();

/**
 * The ffmpeg that the service would use. A search starts ffmpeg, so each successful one is made once.
 *
 * @param options.asked the value to use for `TALLYLIGHT_FFMPEG`, by default the current one
 * @throws where there is none
 */
export async function getFfmpeg({ asked }: { asked: string | undefined } = { asked: process.env.TALLYLIGHT_FFMPEG }): Promise<{
  path: string;
  version: string;
}> {
  const search = searches.get(asked) ?? findFfmpeg({ env: { ...process.env, TALLYLIGHT_FFMPEG: asked } });
  searches.set(asked, search);
  const found = await search;
  if (found.kind === 'missing') {
    searches.delete(asked);
    throw new Error(describeMissingFfmpeg(found.reason));
  }
  return { path: found.path, version: found.version };
}
