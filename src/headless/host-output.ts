import { escapeInvisible } from '../service/lib/escape-invisible.ts';
import type { RenditionNews } from '../service/session/rendition-news.ts';
import type { ServiceError } from '../shared/errors.ts';
import { dropIsolates } from '../shared/isolate-name.ts';
import type { ServiceInfo } from '../shared/model/views.ts';
import { describeLadderEvent } from '../shared/words/ladder-words.ts';

/** The headless host's reports to the person or program that started it. */
export interface HostOutput {
  ready(info: ServiceInfo, uiUrl: string): void;
  /** The URL for the next browser, after the last one was used. */
  uiUrl(uiUrl: string): void;
  notice(sentence: string): void;
  /** Renditions are no longer made, or are made again. */
  renditions(news: RenditionNews): void;
  failed(failure: Pick<ServiceError, 'code' | 'message' | 'details'>): void;
}

/** One JSON object per line, for programs. `ready` comes first, unless the start fails. */
export function jsonOutput(write: (line: string) => void): HostOutput {
  const say = (event: string, content: object) => write(`${JSON.stringify({ event, ...content })}\n`);
  return {
    ready(info, uiUrl) {
      const { localApiBaseUrl, ingestBaseUrl, playbackBaseUrl } = info;
      // The program that reads this line runs on this computer.
      say('ready', { apiBaseUrl: localApiBaseUrl, ingestBaseUrl, playbackBaseUrl, ...findLocalUrls(info), uiUrl });
    },
    uiUrl: (uiUrl) => say('ui-url', { uiUrl }),
    notice: (sentence) => say('notice', { sentence }),
    renditions: ({ streamId, streamName, event }) =>
      say('renditions', {
        streamId,
        streamName,
        kind: event.code,
        renditions: event.names,
        sentence: describeLadderEvent(event),
      }),
    // `npm start` has other words for a fault of the secrets.
    failed: ({ code, message, details }) => say('failed', { code, message, secretsFault: details?.secretsFault }),
  };
}

/** Lines for people; failures go to standard error. Names chosen by other people can't control the terminal. */
export function textOutput(write: (line: string) => void): HostOutput {
  return {
    ready(info, uiUrl) {
      const { version, apiBaseUrl, ingestBaseUrl, playbackBaseUrl } = info;
      const local = findLocalUrls(info);
      write(
        [
          `Tallylight ${version} is running. Press Ctrl-C to stop it.`,
          `  Open in a browser  ${uiUrl}`,
          `  Encoders publish   ${ingestBaseUrl}`,
          ...(local ? [`    on this computer ${local.localIngestBaseUrl}`] : []),
          `  Players play       ${playbackBaseUrl}`,
          ...(local ? [`    on this computer ${local.localPlaybackBaseUrl}`] : []),
          `  Programs call      ${apiBaseUrl}`,
          ...(local ? [`    on this computer ${info.localApiBaseUrl}`] : []),
          '',
        ].join('\n'),
      );
    },
    uiUrl: (uiUrl) => write(`To open another browser: ${uiUrl}\n`),
    notice: (sentence) => write(`${formatSentence(sentence)}\n`),
    renditions: ({ streamName, event }) => write(`${formatSentence(`${streamName}: ${describeLadderEvent(event)}`)}\n`),
    failed: () => {},
  };
}

/** With a service domain, whose names may not lead here yet: the URLs that work on this computer regardless of DNS. */
function findLocalUrls({
  ingestBaseUrl,
  localIngestBaseUrl,
  localPlaybackBaseUrl,
}: Pick<ServiceInfo, 'ingestBaseUrl' | 'localIngestBaseUrl' | 'localPlaybackBaseUrl'>) {
  return ingestBaseUrl === localIngestBaseUrl ? undefined : { localIngestBaseUrl, localPlaybackBaseUrl };
}

function formatSentence(sentence: string): string {
  return escapeInvisible(dropIsolates(sentence));
}
