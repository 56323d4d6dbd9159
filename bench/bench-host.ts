import type { Profile } from '../src/shared/model/profile.ts';
import { type ReadyLine, startTestHost, type TestHost } from '../test/support/headless-host.ts';
import { openHostContract } from '../test/support/host-contract.ts';

/** The built headless host, and its public interface. */
export interface BenchHost {
  host: TestHost;
  apiKey: string;
  rtmpPort: number;
  /** Creates a stream with a ladder of these profiles. */
  createStream(name: string, profiles?: readonly Profile[]): Promise<{ id: string; streamKey: string; playbackId: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

const running = new Set<TestHost>();

/** Starts the built host, with its own data folder unless one is given; `env` is added to its environment. */
export async function startHost(options: { dataFolder?: string; env?: Record<string, string> } = {}): Promise<TestHost> {
  const host = await startTestHost(options);
  running.add(host);
  return host;
}

/** Ends all running hosts, if the benchmark is interrupted. */
export async function closeHosts(): Promise<void> {
  await Promise.allSettled([...running].map((host) => host.close()));
}

/** Starts the built host with an API key and a data folder of its own; `partMs` is the part length of its settings. */
export async function startBenchHost({ partMs }: { partMs?: number | undefined } = {}): Promise<BenchHost> {
  const host = await startHost();
  if (partMs !== undefined) {
    using contract = await openHostContract(host.ready.uiUrl);
    await contract.app.settings.update({ partMs });
  }
  const apiKey = await host.createApiKey('bench');
  return {
    host,
    apiKey,
    rtmpPort: Number(new URL(host.ready.ingestBaseUrl).port),
    async createStream(name, profiles = []) {
      const response = await fetch(`${host.ready.apiBaseUrl}/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, profiles }),
      });
      if (response.status !== 201) throw new Error(`POST /stream answered ${response.status}.`);
      return (await response.json()) as Awaited<ReturnType<BenchHost['createStream']>>;
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** The URLs of a stream's first or newest segment and of its init segment; undefined while it is off air. */
export async function findSegment(
  { playbackBaseUrl }: ReadyLine,
  playbackId: string,
  which: 'first' | 'newest',
): Promise<{ init: string; media: string } | undefined> {
  const multivariant = await fetch(`${playbackBaseUrl}/${playbackId}/index.m3u8`);
  const text = await multivariant.text();
  if (multivariant.status !== 200) return undefined;
  const variant = text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  const playlistUrl = new URL(variant, multivariant.url);
  const playlist = await (await fetch(playlistUrl)).text();
  const segments = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const media = (which === 'first' ? segments[0] : segments.at(-1)) ?? '';
  const [, init = ''] = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist) ?? [];
  return { init: new URL(init, playlistUrl).href, media: new URL(media, playlistUrl).href };
}
