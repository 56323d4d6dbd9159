import type { TestHost } from './headless-host.ts';

/** Creates a stream through a host's public interface, with its own API key. */
export async function createStream(
  host: TestHost,
  stream: { name: string; profiles: readonly object[] },
): Promise<{ id: string; streamKey: string; playbackId: string }> {
  const key = await host.createApiKey();
  const answer = await fetch(`${host.ready.apiBaseUrl}/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(stream),
  });
  return (await answer.json()) as { id: string; streamKey: string; playbackId: string };
}
