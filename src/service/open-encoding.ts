import type { MeterStarter } from './audio-meter/publisher-meter.ts';
import { runHarmlessly } from './lib/faults.ts';
import { findEncodeTools } from './one-click/encode-tools.ts';
import { startFindingTools, type ToolSearch } from './one-click/start-finding-tools.ts';
import type { Store } from './open-store.ts';
import type { Clock, Logger } from './ports.ts';
import { createAudioMeters } from './session/start-audio-meter.ts';
import { EncoderChooser } from './transcode/encoder-choice.ts';

export interface OpenEncodingOptions {
  dataFolder: string;
  store: Pick<Store, 'settings'>;
  clock: Clock;
  log: Logger;
  /** Ends the search and the trials. */
  closing: AbortSignal;
}

/** The encoders and decoders of this computer. */
export interface OpenedEncoding {
  tools: ToolSearch;
  encoders: EncoderChooser;
  startAudioMeter: MeterStarter;
}

/** Begins to look for ffmpeg, and tries each one that is found. */
export function openEncoding({ dataFolder, store, clock, log, closing }: OpenEncodingOptions): OpenedEncoding {
  const tools = startFindingTools(() => findEncodeTools(dataFolder), closing);
  const encoders = new EncoderChooser({
    ffmpeg: async () => (await tools.find()).ffmpeg,
    choice: () => store.settings.get().encoder,
    dataFolder,
    closing,
    log,
  });
  // In parallel with everything else, so that the result is known when the first broadcast begins; and again for each new ffmpeg.
  tools.onFound(() => runHarmlessly(() => encoders.try(), 'trying the encoders'));
  const startAudioMeter = createAudioMeters({
    encoders,
    clock,
    loudnessTargetLufs: () => store.settings.get().loudnessTargetLufs,
  });
  return { tools, encoders, startAudioMeter };
}
