import { beatIntervalMs } from '../../shared/heartbeat.ts';
import { pause } from '../../shared/pause.ts';
import { watchValue } from '../lib/watch-value.ts';
import { browseFolder } from '../one-click/media-browser.ts';
import type { Clock } from '../ports.ts';
import { checkTlsSettings } from '../tls/open-tls.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on the service itself: info, settings, and this computer's files. */
export function serviceHandlers(os: Implementer, { info, onInfoChange, network, settings, clock }: HandlerContext) {
  return {
    service: {
      watch: os.service.watch.handler(({ context }) => watchValue(info, { onChange: onInfoChange, signal: context.left })),
      networkReturned: os.service.networkReturned.handler(() => network.report()),
      beat: os.service.beat.handler(({ context }) => beat(clock, context.left)),
    },
    settings: {
      watch: os.settings.watch.handler(({ context }) =>
        watchValue(settings.get, { onChange: settings.onChange, signal: context.left }),
      ),
      update: os.settings.update.handler(async ({ input }) => {
        const changesTls = input.tlsCertificatePath !== undefined || input.tlsKeyPath !== undefined;
        if (changesTls) await checkTlsSettings({ ...settings.get(), ...input });
        return settings.update(input);
      }),
    },
    file: {
      browse: os.file.browse.handler(({ input }) => browseFolder(input.folder, input.of)),
    },
  };
}

async function* beat(clock: Clock, signal: AbortSignal): AsyncGenerator<{ now: number }, void> {
  while (!signal.aborted) {
    yield { now: clock.now() };
    await pause(beatIntervalMs, signal);
  }
}
