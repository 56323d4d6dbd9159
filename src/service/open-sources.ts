import type { OneClickState } from '../shared/model/live.ts';
import { DeviceCaptures } from './capture/device-captures.ts';
import { DeviceWatch } from './capture/devices/device-watch.ts';
import type { CaptureSources } from './capture/parts.ts';
import { SourcePreviews } from './capture/source-previews.ts';
import { requireFfmpeg } from './media-tools/require-ffmpeg.ts';
import type { ToolSearch } from './one-click/start-finding-tools.ts';
import type { CapturePageHost } from './page-capture/capture-page-host.ts';
import type { PageCaptures } from './page-capture/page-captures.ts';
import type { PageMedia } from './page-capture/page-media.ts';
import { startPageCaptures } from './page-capture/start-page-captures.ts';
import type { Clock, DeviceRefusal } from './ports.ts';

export interface OpenSourcesOptions {
  clock: Clock;
  tools: Pick<ToolSearch, 'find'>;
  /** Opens capture pages; undefined if people open them in a browser. */
  pageHost: CapturePageHost | undefined;
  /** Whether the system refuses a kind of device to us; undefined if it can't be asked. */
  isDeviceRefused: DeviceRefusal | undefined;
  /** The one-click broadcasts of all streams. */
  oneClickStates: () => readonly OneClickState[];
}

/** The parts that list, preview and capture sources. */
export interface OpenedSources {
  devices: DeviceWatch;
  captures: CaptureSources;
  previews: SourcePreviews;
  pageCaptures: PageCaptures;
  pageMedia: PageMedia;
}

/** Opens the parts for sources; `opened` closes them. */
export function openSources(
  { clock, tools, pageHost, isDeviceRefused, oneClickStates }: OpenSourcesOptions,
  opened: AsyncDisposableStack,
): OpenedSources {
  const devices = new DeviceWatch(async () => (await tools.find()).deviceFfmpegs);
  opened.defer(() => devices.close());
  const pages = startPageCaptures({
    clock,
    host: pageHost,
    oneClicks: oneClickStates,
    needsScreens: () => devices.devices?.by.screen === 'page' || devices.devices?.by.window === 'page',
  });
  opened.defer(() => pages.close());
  const captures = { devices, shared: new DeviceCaptures(devices, isDeviceRefused), pages: pages.media };
  const previews = new SourcePreviews({
    clock,
    findTools: async () => {
      const { ffmpeg, ...found } = await tools.find();
      return { ffmpegPath: requireFfmpeg(ffmpeg), ...found, ...captures, isPreview: true };
    },
  });
  opened.defer(() => previews.close());
  return { devices, captures, previews, pageCaptures: pages.captures, pageMedia: pages.media };
}
