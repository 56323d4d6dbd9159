import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GivenSettings } from '../service/config.ts';
import { openBrowserAddresses } from '../service/lib/browser-addresses.ts';
import type { ProcessEndCause } from '../service/lib/process-end.ts';
import { createSystemClock } from '../service/lib/system-clock.ts';
import { version } from '../service/lib/version.ts';
import type { Logger } from '../service/ports.ts';
import { formatUrlHost, isLoopbackHost } from '../service/regions/base-urls.ts';
import { openSecretStore } from '../service/secrets/secrets-location.ts';
import { type RunningService, startService } from '../service/service.ts';
import { ServiceError } from '../shared/errors.ts';
import { SettingName } from '../shared/model/settings.ts';
import type { ServiceInfo } from '../shared/model/views.ts';
import { describeDetails } from '../shared/words/error-words.ts';
import { describeNotice } from '../shared/words/notice-words.ts';
import { settingAdvice } from '../shared/words/setting-words.ts';
import { describeRule, formatPath } from '../shared/words/violation-words.ts';
import type { HostOptions } from './host-options.ts';
import type { HostOutput } from './host-output.ts';
import { openSessionFile } from './session-file.ts';
import { registerUi } from './ui-routes.ts';
import { UiSessions } from './ui-session.ts';

/** The service and its screens, until closed. */
export interface HeadlessHost {
  /** Closes everything, as {@link RunningService.close}. */
  close(cause: ProcessEndCause): Promise<void>;
}

/**
 * Starts the service in plain Node, with the browser UI beside its public interface, and reports it.
 *
 * @param uiFolder the built page.
 * @throws {ServiceError} as {@link startService}, with a sentence for what is wrong with the given settings or the TLS files
 */
export async function startHeadlessHost({
  options,
  uiFolder,
  output,
  log,
}: {
  options: HostOptions;
  uiFolder: string;
  output: HostOutput;
  log: Logger;
}): Promise<HeadlessHost> {
  const { dataFolder, host, httpPort, rtmpPort, givenSettings } = options;
  let service: RunningService | undefined;
  const clock = createSystemClock();
  const uiUrl = (token: string) => `${pageOrigin(host, service?.info())}/?token=${token}`;
  const sessionFile = openSessionFile(join(dataFolder, 'browser-sessions.json'), log);
  const addresses = openBrowserAddresses(dataFolder, log);
  const sessions = new UiSessions({
    onToken: (token) => output.uiUrl(uiUrl(token)),
    takeIssued: addresses.take,
    file: sessionFile,
    clock,
  });
  try {
    const running = await startService(
      {
        dataFolder,
        host,
        version,
        givenSettings,
        newKey: options.newStreamKeys,
        ...(httpPort !== undefined && { httpPort }),
        ...(rtmpPort !== undefined && { rtmpPort }),
      },
      {
        secrets: openSecretStore(options.secrets),
        clock,
        log,
      },
      {
        onRenditionNews: (news) => output.renditions(news),
        extendHttp: (app: FastifyInstance, { router }) =>
          registerUi(app, {
            sessions,
            router,
            folder: uiFolder,
            host,
            ownNames: () => listUrlNames(service),
            serviceOrigins: () => listOrigins(service),
          }),
      },
    );
    service = running;
    const info = running.info();
    log.info(
      { version, host, httpPort: info.httpPort, rtmpPort: info.rtmpPort, secrets: info.secrets, notices: info.notices },
      'Tallylight started',
    );
    await addresses.open(pageOrigin(host, info));
    output.ready(info, uiUrl(sessions.firstToken));
    if (options.secrets === 'memory') {
      output.notice('Secrets are kept in memory: stream keys change on every start.');
    }
    if (typeof options.secrets === 'object') {
      output.notice(
        `Secrets are encrypted with the key in ${options.secrets.file}: anyone who can read that file can read them.`,
      );
    }
    for (const notice of info.notices) output.notice(describeNotice(notice));
    return {
      close: async (cause) => {
        try {
          await running.close(cause);
        } finally {
          await sessionFile.flush();
        }
        log.info('Tallylight ended');
      },
    };
  } catch (error) {
    if (error instanceof ServiceError) throw withSentence(error, givenSettings);
    log.fatal({ err: error }, 'Start failed');
    throw error;
  }
}

/** The error with a sentence for the codes in its details; the service itself has no sentences. */
function withSentence(error: ServiceError, { sources }: GivenSettings): ServiceError {
  const { code, details } = error;
  const [violation] = details?.violations ?? [];
  if (violation === undefined) {
    const sentence = describeDetails(details, 'headless');
    return sentence === undefined ? error : new ServiceError(code, sentence, { details, cause: error });
  }
  if (violation.code === 'more') return error;
  const { data: setting } = SettingName.safeParse(violation.path[0]);
  if (setting === undefined) return error;
  const wrong = `${formatPath(violation.path)} ${describeRule(violation)}`;
  return new ServiceError(code, `${sources[setting]?.name ?? setting} is invalid: ${wrong}. ${settingAdvice[setting]}`, {
    cause: error,
  });
}

/** The names in the URLs that other computers get: with a service domain, this region's. */
function listUrlNames(service: RunningService | undefined): string[] {
  return service === undefined ? [] : [new URL(service.info().apiBaseUrl).hostname];
}

/** The origins of playlists and media for the page: 127.0.0.1, localhost and a domain name are different origins. */
function listOrigins(service: RunningService | undefined): string[] {
  if (service === undefined) return [];
  const { playbackBaseUrl, localPlaybackBaseUrl } = service.info();
  const own = [playbackBaseUrl, localPlaybackBaseUrl].map((url) => new URL(url).origin);
  return [...new Set([...own, ...service.remoteMediaOrigins()])];
}

/** The origin under which a browser on this computer reaches us. Others on the network use the same one, so it is encrypted if it can be. */
function pageOrigin(host: string, info?: ServiceInfo): string {
  const scheme = info?.tls && !isLoopbackHost(host) ? 'https' : 'http';
  return `${scheme}://${formatUrlHost(host)}:${info?.httpPort ?? 0}`;
}
