import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { type EncodeTools, findEncodeTools, noTools } from './encode-tools.ts';

/** Looks for ffmpeg in the background: broadcasts wait for it, the start does not. */
export function startFindingTools(dataFolder: string) {
  const foundEvent = createEventSource<void>();
  const tools = {
    current: { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'searching' } } } as EncodeTools,
    found: findEncodeTools(dataFolder)
      .catch((error: unknown): EncodeTools => {
        reportFault(error, 'looking for ffmpeg');
        return { ...noTools, ffmpeg: { kind: 'missing', reason: { code: 'search-failed' } } };
      })
      .then((found) => {
        tools.current = found;
        foundEvent.emit();
        return found;
      }),
    onFound: foundEvent.on,
  };
  return tools;
}

/** A search for ffmpeg, running or over. */
export type ToolSearch = ReturnType<typeof startFindingTools>;
