import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that report playback from pages. */
export function playbackHandlers(os: Implementer, { services, playReports }: HandlerContext) {
  return {
    playback: {
      report: os.playback.report.handler(({ input: { streamId, pageId, report } }) => {
        services.at(streamId, (service, id) => service.check(id));
        playReports.add(streamId, pageId, report);
      }),
    },
  };
}
