import type { Severity } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';

/** The events of a one-click broadcast that are worth a line in the stream's log. */
export type OneClickEvent = LogEventOf<
  | 'source-changed'
  | 'encoder-fell-back'
  | 'encoder-restarted'
  | 'ingest-unreached'
  | 'ingest-lost'
  | 'go-live-failed'
  | 'bitrate'
>;

/** How bad an event is. */
export function severityOf(event: OneClickEvent): Severity {
  switch (event.code) {
    case 'source-changed':
      return 'good';
    case 'bitrate':
      return event.event.severity;
    default:
      return 'warn';
  }
}
