import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on remote services. */
export function remoteServiceHandlers(os: Implementer, { remotes, services }: HandlerContext) {
  return {
    remoteService: {
      watchAll: os.remoteService.watchAll.handler(({ signal }) =>
        watchValue(() => remotes.list(), { onChange: remotes.onChange, signal: signal ?? new AbortController().signal }),
      ),
      add: os.remoteService.add.handler(({ input }) => remotes.add(input)),
      update: os.remoteService.update.handler(({ input: { serviceId, changes } }) => remotes.update(serviceId, changes)),
      remove: os.remoteService.remove.handler(({ input: { serviceId } }) => services.remove(serviceId)),
    },
  };
}
