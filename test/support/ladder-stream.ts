import type { Profile } from '../../src/shared/model/profile.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { type FoundProcess, findFfmpegs, theOnly } from './find-processes.ts';
import type { startTestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

const smallProfiles: readonly Profile[] = [
  { name: '180p', bitrate: 300_000, fps: 0, width: 320, height: 180 },
  { name: '144p', bitrate: 150_000, fps: 0, width: 256, height: 144 },
];

/** How a stream's ladder failed; the log also has events that a busy computer causes. */
export const ladderFailures = ({ log }: StreamLive) =>
  log.flatMap(({ event: logged }) => {
    const event = logged.code === 'ladder' ? logged.event : undefined;
    return event?.code === 'crashed' || event?.code === 'rested' ? [event] : [];
  });

/** Heights that differ from the source's 180 lines, so that the picture shows which variant plays. */
export const playableProfiles: readonly Profile[] = [
  { name: '144p', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: '128p', bitrate: 100_000, fps: 0, width: 228, height: 128 },
];

/** Streams with renditions that this process has created. */
let streams = 0;

type TestService = Awaited<ReturnType<typeof startTestService>>;

/** A stream of a test service with two small renditions, and its publish and playback URLs. */
export async function createLadderStream(service: TestService, name: string, small = smallProfiles) {
  streams += 1;
  // A ladder is known by its bitrates: its command line names no stream.
  const profiles = small.map((profile) => ({ ...profile, bitrate: profile.bitrate + streams }));
  const { status, body } = await service.api('POST', '/stream', { name, profiles });
  if (status !== 201) throw new Error(`The stream was not created: ${JSON.stringify(body)}`);
  const base = `${service.urls.playbackBaseUrl}/${body.playbackId}`;
  const mediaUrl = (rendition: string) => `${base}/${rendition}/index.m3u8`;
  const watch = async (is: (live: StreamLive) => boolean) =>
    waitUntil(await service.app.stream.watch({ streamId: body.id }), is);
  return {
    id: body.id as string,
    publishUrl: `${service.urls.ingestBaseUrl}/${body.streamKey}`,
    publishTarget: { port: service.urls.rtmpPort, streamKey: body.streamKey as string },
    multivariantUrl: `${base}/index.m3u8`,
    mediaUrl,
    playlist: async (rendition: string) => (await fetch(mediaUrl(rendition))).text(),
    watch,
    /** The playlists in the multivariant playlist. */
    offered: async () => {
      const text = await (await fetch(`${base}/index.m3u8`)).text();
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    },
    /** All renditions play. */
    complete: () => watch(({ renditions }) => renditions.length === 2 && renditions.every((one) => one.name !== undefined)),
    /** The broadcast is over, and every rendition is complete. */
    over: async () => {
      await watch((live) => !live.stream.isActive);
      await watch(({ renditions }) => renditions.length === 0);
    },
    /** Kills its ladder, which leaves a gap in its renditions. */
    crashLadder: async () => {
      signalProcess(await findLadder(profiles), 'SIGKILL');
    },
    counters: async () => (await service.api('GET', `/stream/${body.id}`)).body,
  };
}

/** This process's only ladder of these profiles. */
async function findLadder(profiles: readonly Profile[]): Promise<FoundProcess> {
  const bitrates = profiles.map(({ bitrate }) => String(bitrate));
  const ffmpegs = await findFfmpegs(process.pid);
  return theOnly(ffmpegs.filter(({ words }) => bitrates.every((bitrate) => words.includes(bitrate))));
}
