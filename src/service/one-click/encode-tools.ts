import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { findResource } from '../lib/find-resource.ts';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';

/** What one-click encodes with. */
export interface EncodeTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  /** A font for the test picture's wall clock; only where this ffmpeg can draw text. */
  clockFontPath: string | undefined;
  /** Whether this ffmpeg can mark each frame as it is captured. */
  marksCapture: boolean;
}

/** Finds ffmpeg and what it can do. */
export async function findEncodeTools(): Promise<EncodeTools> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') return { ffmpeg, clockFontPath: undefined, marksCapture: false };
  const [drawsText, marksCapture] = await Promise.all([
    hasFilterOption(ffmpeg.path, 'drawtext', 'fontfile'),
    hasFilterOption(ffmpeg.path, 'metadata', 'direct'),
  ]);
  return { ffmpeg, clockFontPath: drawsText ? findResource('fonts/DejaVuSansMono-Bold.ttf') : undefined, marksCapture };
}

/** Some builds of ffmpeg lack a filter, most often the text renderer; old builds lack options. */
async function hasFilterOption(ffmpegPath: string, filter: string, option: string): Promise<boolean> {
  const help = ['-hide_banner', '-h', `filter=${filter}`];
  const { stdout } = await promisify(execFile)(ffmpegPath, help, { timeout: 5_000 }).catch(() => ({ stdout: '' }));
  return stdout.includes(option);
}
