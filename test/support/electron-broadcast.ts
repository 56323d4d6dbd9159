import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ElectronHost } from './electron-host.ts';
import { findEncoders as findEncodersOf } from './find-processes.ts';
import { soon } from './soon.ts';
import { streamsPage } from './streams-page.ts';
import { studioPage } from './studio-page.ts';

/** Creates a stream with one small rendition and goes live with the test picture, by clicks. */
export async function goLive(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New stream' }).click();
  const streams = streamsPage(page);
  await streams.name.fill(name);
  await streams.ladder('Custom').click();
  for (const index of [3, 2]) await streams.dialog.getByRole('button', { name: `Remove rendition ${index}` }).click();
  for (const [field, value] of Object.entries({ Width: '228', Height: '128', Bitrate: '150' }))
    await streams.rendition(1).getByRole('textbox', { name: field }).fill(value);
  await streams.create.click();
  await studioPage(page).encodeSlowly();
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByRole('timer', { name: 'On air for' }).waitFor();
}

/** Process ids of the app's ffmpeg processes that encode. */
export async function findEncoders(host: ElectronHost): Promise<number[]> {
  return (await findEncodersOf(host.pid)).map(({ pid }) => pid);
}

/** The two ffmpeg processes of a broadcast that encode, once both run: one the test picture, one its renditions. */
export async function awaitEncoders(host: ElectronHost): Promise<number[]> {
  return soon(async () => {
    const encoders = await findEncoders(host);
    expect(encoders).toHaveLength(2);
    return encoders;
  }, 60_000);
}
