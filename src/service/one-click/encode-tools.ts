import { z } from 'zod';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { findResource } from '../lib/find-resource.ts';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';
import { askOncePerBuild } from '../transcode/build-cache.ts';
import { runTrial, wasKilled } from '../transcode/ffmpeg-trial.ts';

/** What one-click encodes with. */
export interface EncodeTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  /** A font for the test picture's wall clock; only where this ffmpeg can draw text. */
  clockFontPath: string | undefined;
}

/** Finds ffmpeg and what it can do. */
export async function findEncodeTools(dataFolder: string): Promise<EncodeTools> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') return { ffmpeg, clockFontPath: undefined };
  const { drawsText } = await probeFilters({ ffmpeg, dataFolder });
  return { ffmpeg, clockFontPath: drawsText ? findResource('fonts/DejaVuSansMono-Bold.ttf') : undefined };
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
      const { stdout, error } = await runTrial(ffmpeg.path, ['-hide_banner', '-h', 'filter=drawtext'], { timeoutMs });
      return { found: { drawsText: stdout.includes('fontfile') }, keep: !wasKilled(error) };
    },
  });
}
