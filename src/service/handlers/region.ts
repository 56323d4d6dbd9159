import { joinUndos } from '../lib/event-source.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** How often regions without a good time are looked for while someone watches. */
const refreshMs = 15_000;

/** The calls on the regions. They are changed as settings. */
export function regionHandlers(os: Implementer, { regions, settings }: Pick<HandlerContext, 'regions' | 'settings'>) {
  return {
    region: {
      watch: os.region.watch.handler(({ context }) =>
        watchValue(() => regions.view(), {
          onChange(listener) {
            const timer = setInterval(() => regions.measure(), refreshMs);
            regions.measure();
            return joinUndos(
              () => clearInterval(timer),
              regions.onChange(listener),
              settings.onChange(() => {
                regions.measure();
                listener();
              }),
            );
          },
          signal: context.left,
        }),
      ),
      measure: os.region.measure.handler(() => regions.measure({ again: true })),
    },
  };
}
