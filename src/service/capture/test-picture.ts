import { formatFilterValue } from '../media-tools/filter-value.ts';
import { capturePictureArgs } from './capture-run.ts';
import type { FeedFormat } from './feed-format.ts';

/**
 * The argv of the test picture: a pattern with its running time, and the wall clock.
 *
 * @param clockFontPath a font file for the wall clock; without one (or with an ffmpeg without `drawtext`) there is none
 */
export function testPictureArgs(format: FeedFormat, clockFontPath: string | undefined): string[] {
  const { width, height, fps } = format;
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${fps}`];
  const filters = clockFontPath === undefined ? [] : [clockFilter(format, clockFontPath)];
  return capturePictureArgs(input, format, { filters });
}

function clockFilter({ height }: FeedFormat, fontPath: string): string {
  // Windows takes slashes, too. On other systems a backslash belongs to a name.
  const path = fontPath.startsWith('/') ? fontPath : fontPath.replaceAll('\\', '/');
  const fontSize = Math.round(height / 10);
  return [
    `drawtext=fontfile=${formatFilterValue(path)}`,
    String.raw`text=%{localtime\\:%H\\\\\\:%M\\\\\\:%S}`,
    `fontsize=${fontSize}`,
    'fontcolor=white',
    'box=1',
    'boxcolor=black@0.6',
    `boxborderw=${Math.round(fontSize / 4)}`,
    'x=(w-text_w)/2',
    'y=h-text_h*2',
  ].join(':');
}
