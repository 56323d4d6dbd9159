import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on what can be captured, before it goes live. */
export function sourceHandlers(os: Implementer, { devices, previews }: HandlerContext) {
  return {
    source: {
      watchDevices: os.source.watchDevices.handler(async function* ({ context }) {
        for await (const list of watchValue(() => devices.devices, { onChange: devices.onChange, signal: context.left })) {
          if (list !== undefined) yield list;
        }
      }),
      watchPreview: os.source.watchPreview.handler(({ input: { source, previewId }, context }) =>
        previews.watch(source, context.left, previewId),
      ),
    },
  };
}
