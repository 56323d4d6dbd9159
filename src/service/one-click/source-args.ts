import { assertNever } from '../../shared/assert-never.ts';
import type { Source } from '../../shared/model/live.ts';
import type { EncodeSettings } from './encode-settings.ts';

/** ffmpeg's inputs for a source, and which of their tracks to take. The video filters come before scaling. */
export interface SourceArgs {
  inputs: string[];
  maps: string[];
  videoFilters: string[];
}

/**
 * The inputs for one source, read in real time.
 *
 * Each kind of source is one case here: screen, camera and microphone are further ones.
 *
 * @param clockFontPath a font file for the test picture's wall clock; without one (or with an ffmpeg without `drawtext`) the
 *   picture has only the running time that `testsrc2` draws itself
 */
export function sourceArgs(source: Source, settings: EncodeSettings, clockFontPath: string | undefined): SourceArgs {
  switch (source.kind) {
    case 'file':
      return {
        inputs: ['-stream_loop', '-1', '-re', '-i', fileUrl(source.path)],
        maps: ['-map', '0:v:0', '-map', '0:a:0?'],
        videoFilters: [],
      };
    case 'test-picture': {
      const size = `${settings.width}x${settings.height}`;
      return {
        inputs: [
          ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${settings.fps}`],
          ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:beep_factor=2:sample_rate=48000,volume=0.2'],
        ],
        maps: ['-map', '0:v:0', '-map', '1:a:0'],
        videoFilters: clockFontPath === undefined ? [] : [clockFilter(settings, clockFontPath)],
      };
    }
    default:
      return assertNever(source);
  }
}

/** A path for ffmpeg's `file:` protocol, so that a name like `concat:a` or `-y` can only be a file. */
function fileUrl(path: string): string {
  return `file:${path}`;
}

function clockFilter(settings: EncodeSettings, fontPath: string): string {
  // In a filter graph, backslash, quote and colon are syntax: a Windows path has two of the three.
  const escapedPath = fontPath.replaceAll('\\', '/').replaceAll("'", String.raw`\\\'`).replaceAll(':', String.raw`\\:`);
  const fontSize = Math.round(settings.height / 10);
  return [
    `drawtext=fontfile=${escapedPath}`,
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
