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
  /** Whether this ffmpeg can mark each frame as it is captured. */
  marksCapture: boolean;
}

/** Finds ffmpeg and what it can do. */
export async function findEncodeTools(dataFolder: string): Promise<EncodeTools> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') return { ffmpeg, clockFontPath: undefined, marksCapture: false };
  const { drawsText, marksCapture } = await probeFilters({ ffmpeg, dataFolder });
  return { ffmpeg, clockFontPath: drawsText ? findResource('fonts/DejaVuSansMono-Bold.ttf') : undefined, marksCapture };
}

const Filters = z.strictObject({ drawsText: z.boolean(), marksCapture: z.boolean() });
type Filters = z.infer<typeof Filters>;

/** Asks ffmpeg which filters it has, once per build: some lack one, most often the text renderer; old builds lack options. */
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
      const readHelp = (filter: string) => runTrial(ffmpeg.path, ['-hide_banner', '-h', `filter=${filter}`], { timeoutMs });
      const [drawtext, metadata] = await Promise.all([readHelp('drawtext'), readHelp('metadata')]);
      return {
        found: { drawsText: drawtext.stdout.includes('fontfile'), marksCapture: metadata.stdout.includes('direct') },
        keep: ![drawtext, metadata].some(({ error }) => wasKilled(error)),
      };
    },
  });
}
