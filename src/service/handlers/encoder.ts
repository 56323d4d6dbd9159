import { formatObsProfile } from '../streams/obs-profile.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that help to set up other publishing software. */
export function encoderHandlers(os: Implementer, { streams, info }: HandlerContext) {
  return {
    encoder: {
      obsProfile: os.encoder.obsProfile.handler(({ input: { streamId, withKey } }) =>
        formatObsProfile({
          streamName: streams.getKeyless(streamId).name,
          server: info().ingestBaseUrl,
          ...(withKey && { streamKey: streams.revealKey(streamId) }),
        }),
      ),
    },
  };
}
