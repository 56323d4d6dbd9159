import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on API keys. */
export function apiKeyHandlers(os: Implementer, { apiKeys }: HandlerContext) {
  return {
    apiKey: {
      watchAll: os.apiKey.watchAll.handler(({ context }) =>
        watchValue(apiKeys.list, { onChange: apiKeys.onChange, signal: context.left }),
      ),
      create: os.apiKey.create.handler(({ input }) => apiKeys.create(input.name)),
      revoke: os.apiKey.revoke.handler(async ({ input }) => {
        await apiKeys.revoke(input.id);
      }),
    },
  };
}
