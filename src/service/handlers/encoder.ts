import { formatObsProfile } from '../streams/obs-profile.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that help to set up other publishing software. */
export function encoderHandlers(os: Implementer, { services }: HandlerContext) {
  return {
    encoder: {
      obsProfile: os.encoder.obsProfile.handler(({ input: { streamId, withKey } }) =>
        services.at(streamId, async (service, id) =>
          formatObsProfile({
            ...(await service.encoderTarget(id)),
            ...(withKey && { streamKey: await service.revealKey(id) }),
          }),
        ),
      ),
    },
  };
}
