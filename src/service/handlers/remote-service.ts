import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on remote services. */
export function remoteServiceHandlers(os: Implementer, { remotes, services }: HandlerContext) {
  return {
    remoteService: {
      watchAll: os.remoteService.watchAll.handler(({ context }) =>
        watchValue(() => remotes.list(), { onChange: remotes.onChange, signal: context.left }),
      ),
      add: os.remoteService.add.handler(({ input, signal }) => remotes.add(input, signal)),
      update: os.remoteService.update.handler(({ input: { serviceId, changes }, signal }) =>
        remotes.update(serviceId, changes, signal),
      ),
      remove: os.remoteService.remove.handler(({ input: { serviceId } }) => services.remove(serviceId)),
    },
  };
}
