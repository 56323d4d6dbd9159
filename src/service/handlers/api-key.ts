import { watchValue } from '../lib/watch-value.ts';
import { type HandlerContext, type Implementer, yieldToClient } from './handler-context.ts';

/** The calls on API keys. */
export function apiKeyHandlers(os: Implementer, { apiKeys, log }: HandlerContext) {
  return {
    apiKey: {
      watchAll: os.apiKey.watchAll.handler(({ signal }) =>
        yieldToClient({ log }, signal, (left) => watchValue(apiKeys.list, { onChange: apiKeys.onChange, signal: left })),
      ),
      create: os.apiKey.create.handler(({ input }) => apiKeys.create(input.name)),
      revoke: os.apiKey.revoke.handler(async ({ input }) => {
        await apiKeys.revoke(input.id);
      }),
    },
  };
}
