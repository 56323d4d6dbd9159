import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on API keys. */
export function apiKeyHandlers(os: Implementer, { apiKeys }: HandlerContext) {
  return {
    apiKey: {
      list: os.apiKey.list.handler(() => apiKeys.list()),
      create: os.apiKey.create.handler(({ input }) => apiKeys.create(input.name)),
      revoke: os.apiKey.revoke.handler(async ({ input }) => {
        await apiKeys.revoke(input.id);
      }),
    },
  };
}
