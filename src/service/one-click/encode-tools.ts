import { z } from 'zod';
import type { ServiceInfo } from '../../shared/model/views.ts';
import type { DeviceFfmpegs } from '../capture/system-inputs.ts';
import { findResource } from '../lib/find-resource.ts';
import { runToEnd } from '../lib/run-to-end.ts';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';
import { askOncePerBuild } from '../transcode/build-cache.ts';
import { findDeviceFfmpegs } from './device-ffmpegs.ts';

/** The tools with which one click encodes and captures. */
export interface EncodeTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  deviceFfmpegs: DeviceFfmpegs;
  /** A font for the test picture's wall clock; only where this ffmpeg can draw text. */
  clockFontPath: string | undefined;
}

/** The other tools when there is no ffmpeg: none. */
export const noTools: Omit<EncodeTools, 'ffmpeg'> = {
  deviceFfmpegs: { paths: new Map(), installCommand: undefined },
  clockFontPath: undefined,
};

/** Finds ffmpeg and its abilities. */
export async function findEncodeTools(dataFolder: string): Promise<EncodeTools> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') return { ...noTools, ffmpeg };
  const [{ drawsText }, deviceFfmpegs] = await Promise.all([
    probeFilters({ ffmpeg, dataFolder }),
    findDeviceFfmpegs({ usual: ffmpeg, dataFolder }),
  ]);
  return { ffmpeg, deviceFfmpegs, clockFontPath: drawsText ? findResource('fonts/DejaVuSansMono-Bold.ttf') : undefined };
}

const Filters = z.strictObject({ drawsText: z.boolean() });
type Filters = z.infer<typeof Filters>;

/** Asks ffmpeg, once per build, whether it has its text renderer: some lack it. */
export async function probeFilters({
  ffmpeg,
  dataFolder,
  timeoutMs = 5_000,
}: {
  ffmpeg: { path: string; version: string };
  dataFolder: string;
  timeoutMs?: number;
}): Promise<Filters> {
  return askOncePerBuild({
    name: 'filters.json',
    dataFolder,
    ffmpeg,
    found: Filters,
    ask: async () => {
      // ffmpeg exits with 0 even for a missing filter.
      const { stdout, error } = await runToEnd(ffmpeg.path, ['-hide_banner', '-h', 'filter=drawtext'], { timeoutMs });
      return { found: { drawsText: stdout.includes('fontfile') }, keep: error === null };
    },
  });
}
