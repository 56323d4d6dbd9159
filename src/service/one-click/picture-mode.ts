import type { Source } from '../../shared/model/source.ts';
import { fileInput } from '../capture/file-input.ts';
import type { Devices } from '../capture/keep-capturing.ts';
import { runToEnd } from '../lib/run-to-end.ts';

/** The size and rate of a picture that is captured. */
export interface PictureMode {
  width: number;
  height: number;
  fps: number | undefined;
}

const askMs = 3_000;

/**
 * The size and rate of a source's main picture: as ffmpeg sees its file, or as its screen or window is listed. Undefined for other
 * pictures, which are made as large as asked for or are known only once they are captured.
 */
export async function findPictureMode(
  ffmpegPath: string,
  { picture: { main } }: Source,
  devices: Pick<Devices, 'find'>,
): Promise<PictureMode | undefined> {
  if (main.kind === 'screen' || main.kind === 'window' || main.kind === 'camera') {
    const listed = devices.find(main);
    if (listed === undefined || listed === 'missing') return undefined;
    const { width, height } = listed;
    return width === undefined || height === undefined ? undefined : { width, height, fps: undefined };
  }
  const path = main.kind === 'files' ? main.paths[0] : main.kind === 'still' ? main.path : undefined;
  if (path === undefined) return undefined;
  const { stderr } = await runToEnd(ffmpegPath, ['-hide_banner', '-nostdin', ...fileInput(path)], { timeoutMs: askMs });
  return parsePictureMode(stderr.toString('utf8'));
}

/**
 * From the description of the first video: `Stream #0:0…: Video: h264 (High), yuv420p, 1920x1080 [SAR 1:1], 29.97 fps, …`, and from the lines
 * below it: a phone that was held upright notes `displaymatrix: rotation of -90.00 degrees` (`Display Matrix: …` in newer ffmpegs).
 */
export function parsePictureMode(log: string): PictureMode | undefined {
  const [, video = '', details = ''] = /Stream #\d+:\d+.*?: Video: (.*)((?:\r?\n(?!.*Stream #).*)*)/.exec(log) ?? [];
  const size = /, (\d{2,5})x(\d{2,5})\b/.exec(video);
  if (size === null) return undefined;
  const fps = Number(/, ([\d.]+) fps\b/.exec(video)?.[1]);
  const coded = { width: Number(size[1]), height: Number(size[2]) };
  const quarterTurns = Math.round(Number(/rotation of (-?[\d.]+)/.exec(details)?.[1] ?? 0) / 90);
  const shown = quarterTurns % 2 === 0 ? coded : { width: coded.height, height: coded.width };
  return { ...shown, fps: fps > 0 ? fps : undefined };
}
