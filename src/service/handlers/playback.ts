import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that report playback from pages. */
export function playbackHandlers(os: Implementer, { streams, playReports }: HandlerContext) {
  return {
    playback: {
      report: os.playback.report.handler(({ input: { streamId, pageId, report } }) => {
        streams.getKeyless(streamId);
        playReports.add(streamId, pageId, report);
      }),
    },
  };
}
