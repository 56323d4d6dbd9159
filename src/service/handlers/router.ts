import { apiKeyHandlers } from './api-key.ts';
import { broadcastHandlers } from './broadcast.ts';
import { type HandlerContext, implementContract } from './handler-context.ts';
import { pageCaptureHandlers } from './page-capture.ts';
import { playbackHandlers } from './playback.ts';
import { regionHandlers } from './region.ts';
import { remoteServiceHandlers } from './remote-service.ts';
import { serviceHandlers } from './service.ts';
import { sourceHandlers } from './source.ts';
import { streamHandlers } from './stream.ts';

/** The contract's implementation; a host serves it over its transport. */
export type ContractRouter = ReturnType<typeof createRouter>;

/** Builds the contract's implementation over the service's parts. */
export function createRouter(context: HandlerContext) {
  const os = implementContract(context);
  return os.router({
    ...serviceHandlers(os, context),
    ...sourceHandlers(os, context),
    ...streamHandlers(os, context),
    ...broadcastHandlers(os, context),
    ...pageCaptureHandlers(os, context),
    ...playbackHandlers(os, context),
    ...regionHandlers(os, context),
    ...apiKeyHandlers(os, context),
    ...remoteServiceHandlers(os, context),
  });
}
