import { availableParallelism } from 'node:os';
import type { EncodePreview, MeasuredUpload } from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { Devices } from '../capture/keep-capturing.ts';
import { assumeCores } from '../transcode/encode-cost.ts';
import { previewEncode, usualFps } from './choose-settings.ts';
import type { EncodeCosts } from './encode-costs.ts';
import type { EncodeTools } from './encode-tools.ts';
import { findPictureMode } from './picture-mode.ts';

export interface EncodePlannerOptions {
  findTools: () => Promise<EncodeTools>;
  /** Resolves with the encoder to use; undefined if none works here. */
  pickEncoder: () => Promise<EncoderName | undefined>;
  costs: EncodeCosts;
  /** The measured upload to the ingest that a stream's one-click publishes to. */
  findUpload: (streamId: string) => MeasuredUpload | undefined;
  /** The current bitrate of other streams' broadcasts to that ingest, in bit/s. */
  findOthersBps: (streamId: string) => number;
  /** This computer's screens and windows, as listed. */
  devices: Pick<Devices, 'find'>;
  /** The renditions that this computer makes of a stream. */
  findProfiles: (streamId: string) => readonly Profile[];
}

/** How one *Go live* encodes. */
export interface EncodePlan {
  encoder: EncoderName;
  preview: EncodePreview;
}

/** Plans how a stream's one-click encodes, from what this computer, the picture and the way out can do. */
export class EncodePlanner {
  readonly #options: EncodePlannerOptions;

  constructor(options: EncodePlannerOptions) {
    this.#options = options;
  }

  /** The encoder and the settings for a choice, what they will cost, and what may go wrong. */
  async plan(streamId: string, { source, encode }: OneClickChoice): Promise<EncodePlan> {
    const { findTools, pickEncoder, costs, findUpload, findOthersBps, findProfiles, devices } = this.#options;
    const { ffmpeg } = await findTools();
    // If no encoder works, ffmpeg's own error explains it best.
    const encoder = (await pickEncoder()) ?? 'libx264';
    // Renditions without a rate of their own have the source's, which may not be chosen yet.
    const pixelsPerSecond = findProfiles(streamId).reduce(
      (sum, { width, height, fps }) => sum + width * height * (fps || usualFps),
      0,
    );
    const preview = previewEncode(encode, {
      encoder,
      picture: ffmpeg.kind === 'found' ? await findPictureMode(ffmpeg.path, source, devices) : undefined,
      upload: findUpload(streamId),
      othersBps: findOthersBps(streamId),
      cores: availableParallelism(),
      renditionCores: assumeCores(pixelsPerSecond, encoder),
      costs,
    });
    return { encoder, preview };
  }
}
