import { Feed } from '../../src/service/capture/feed.ts';
import type { MediaUnit } from '../../src/service/media/media-unit.ts';
import type { StreamMetadata } from '../../src/service/media/stream-metadata.ts';
import { gopFramesOf } from '../../src/service/one-click/encode-args.ts';
import { noTools } from '../../src/service/one-click/encode-tools.ts';
import { OneClickEncoders } from '../../src/service/one-click/one-click-encoders.ts';
import type { EncodeSettings } from '../../src/shared/model/encode-settings.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { getFfmpeg } from './get-ffmpeg.ts';
import { noCaptures } from './no-captures.ts';
import { createSteadyClock } from './steady-clock.ts';

/** Cheap to encode, and large enough that the network matters. */
export const smallSettings: EncodeSettings = {
  width: 1280,
  height: 720,
  fps: 15,
  videoBitrateBps: 2_000_000,
  keyframeSeconds: 1,
  audioBitrateBps: 128_000,
};

/** The encoders of a broadcast of the test picture, without the broadcast. A failure of one ends this process. */
export async function startEncoders({
  settings = smallSettings,
  onUnit,
  onMetadata = () => {},
}: {
  settings?: EncodeSettings;
  onUnit: (unit: MediaUnit) => void;
  onMetadata?: (metadata: StreamMetadata) => void;
}): Promise<{ encoders: OneClickEncoders } & AsyncDisposable> {
  const { path: ffmpegPath } = await getFfmpeg();
  // No frame is left out when this process pauses.
  const { clock } = createSteadyClock();
  const { width, height, fps } = settings;
  const feed = new Feed({
    source: testSource,
    format: { width, height, fps },
    gopFrames: gopFramesOf(settings),
    tools: { ...noCaptures, ...noTools, ffmpegPath },
    clock,
  });
  await feed.start();
  const fail = ({ stderr }: { stderr: readonly string[] }) => {
    throw new Error(`An encoder ended: ${stderr.join('\n')}`);
  };
  const encoders = new OneClickEncoders({
    feed,
    settings,
    ffmpegPath,
    encoder: 'libx264',
    looksAhead: false,
    clock,
    onUnit,
    onMetadata,
    onProgress: () => {},
    onFallback: () => {},
    onRestart: fail,
    onFailed: fail,
  });
  return {
    encoders,
    [Symbol.asyncDispose]: async () => {
      await encoders.stop();
      await feed.close();
    },
  };
}
