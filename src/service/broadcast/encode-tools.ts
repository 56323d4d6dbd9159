import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { findResource } from '../lib/find-resource.ts';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';

/** What one-click encodes with; `clockFontPath` only where this ffmpeg can draw text. */
export interface EncodeTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  clockFontPath: string | undefined;
}

/** Finds ffmpeg and what it can do. */
export async function findEncodeTools(): Promise<EncodeTools> {
  const ffmpeg = await findFfmpeg();
  const font = findResource('fonts/DejaVuSansMono-Bold.ttf');
  const clockFontPath = ffmpeg.kind === 'found' && font !== undefined && (await canDrawText(ffmpeg.path)) ? font : undefined;
  return { ffmpeg, clockFontPath };
}

/** Some builds of ffmpeg come without the text renderer. */
async function canDrawText(ffmpegPath: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(ffmpegPath, ['-hide_banner', '-h', 'filter=drawtext'], { timeout: 5_000 }).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.includes('fontfile');
}
