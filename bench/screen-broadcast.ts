import { setTimeout as sleep } from 'node:timers/promises';
import { encodePresets } from '../src/shared/model/encode-settings.ts';
import type { TestHost } from '../test/support/headless-host.ts';
import { createStream, openHostContract } from '../test/support/host-contract.ts';
import { startHost } from './bench-host.ts';
import { type ScreenStage, startScreenStage } from './screen-stage.ts';

/** A one-click broadcast of a screen and its computer's system sound. */
export interface ScreenBroadcast extends AsyncDisposable {
  host: TestHost;
  stage: Omit<ScreenStage, keyof AsyncDisposable>;
  playbackUrl: string;
}

/** Starts it in 720p at a frame rate; resolves once it can be played. */
export async function startScreenBroadcast({ fps }: { fps: number }): Promise<ScreenBroadcast> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(await startScreenStage());
  const host = await startHost({ env: stage.env });
  stack.defer(() => host.close());
  const settings = { ...encodePresets['720p30'], fps };
  const contract = stack.use(await openHostContract(host.ready.uiUrl));
  const { id: streamId, playbackId } = await createStream(contract.app, { name: 'Screen' });
  await contract.app.broadcast.goLive({ streamId, source: stage.source, encode: { kind: 'by-hand', settings } });
  const playbackUrl = `${host.ready.playbackBaseUrl}/${playbackId}/index.m3u8`;
  while ((await fetch(playbackUrl)).status !== 200) await sleep(100);
  const kept = stack.move();
  return { host, stage, playbackUrl, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
