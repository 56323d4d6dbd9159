import { browseFolder } from '../broadcast/media-browser.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on the service as a whole: what it is, its settings, and the files of its computer. */
export function serviceHandlers(os: Implementer, { info, onInfoChange, settings }: HandlerContext) {
  return {
    service: {
      watch: os.service.watch.handler(({ signal }) =>
        watchValue(info, { onChange: onInfoChange, signal: signal ?? new AbortController().signal }),
      ),
    },
    settings: {
      get: os.settings.get.handler(() => settings.get()),
      update: os.settings.update.handler(({ input }) => settings.update(input)),
    },
    file: {
      browse: os.file.browse.handler(({ input }) => browseFolder(input.folder)),
    },
  };
}
