import { expect, test } from 'vitest';
import { failed, openSending, retrying } from '../../../test/support/sending-stand.ts';
import { soon } from '../../../test/support/soon.ts';
import type { StreamLive } from '../../shared/model/views.ts';

type Sending = Awaited<ReturnType<typeof openSending>>;

/** What Studio shows now. */
async function see({ streams }: Pick<Sending, 'streams'>): Promise<StreamLive> {
  const page = streams.watch('show', undefined, new AbortController().signal);
  const { value } = await page.next();
  await page.return();
  if (value === undefined) throw new Error('There is nothing to see.');
  return value;
}

test('a broadcast to a remote service that has failed stays lost until its owner dismisses it, and its failure with it', async () => {
  const sending = await openSending();
  await sending.goOnAir();
  sending.setActive(false);
  sending.set(failed());
  await soon(async () => expect((await see(sending)).stream.air.kind).toBe('off-air'));
  expect(await see(sending)).toMatchObject({ oneClick: { kind: 'failed' }, lost: { reason: 'encoder-failed' } });
  await sending.streams.dismissLost('show');
  expect(await see(sending)).toMatchObject({ oneClick: { kind: 'idle' }, lost: undefined });
});

test('dismissing a lost broadcast to a remote service does not stop one click, which still tries', async () => {
  const sending = await openSending();
  await sending.goOnAir();
  sending.setActive(false);
  sending.set(retrying);
  await soon(async () => expect((await see(sending)).lost).toMatchObject({ reason: 'encoder-failed' }));
  await sending.streams.dismissLost('show');
  expect(await see(sending)).toMatchObject({ oneClick: { kind: 'retrying' }, lost: undefined });
});

test('the silence of a broadcast to a remote service is a trouble until its owner says that it is meant, and again after ten seconds of sound', async () => {
  const sending = await openSending();
  const verdict = async () => (await see(sending)).verdict?.code;
  sending.hear(2_000, { code: 'silent', severity: 'warn' });
  expect(() => sending.streams.acceptSilence('show')).toThrow(expect.objectContaining({ code: 'OFF_AIR' }));
  await sending.goOnAir();
  expect(await verdict()).toBe('silent');
  sending.streams.acceptSilence('show');
  expect(await verdict()).toBe('good');
  // After ten seconds of sound, silence is a mistake again.
  sending.hear(12_000, { code: 'silent', severity: 'warn' });
  expect(await verdict()).toBe('silent');
});
