import { Livepeer } from 'livepeer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiStand, openApiStand } from '../support/api-stand.ts';

let api: ApiStand;
let client: Livepeer;
beforeAll(async () => {
  api = await openApiStand();
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  client = new Livepeer({ apiKey: api.secret, serverURL: `${origin}/api` });
});
afterAll(() => api.close());

const profiles = [
  { name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 },
  { name: '360p', bitrate: 800_000, fps: 30, width: 640, height: 360 },
];

test('the published client creates, gets, lists, updates, terminates and deletes streams, and lists sessions', async () => {
  const created = await client.stream.create({ name: 'Sunday show', profiles });
  expect(created.statusCode).toBe(201);
  const stream = created.stream!;
  expect(stream).toMatchObject({
    name: 'Sunday show',
    profiles,
    kind: 'stream',
    isActive: false,
    createdByTokenName: 'robot',
    streamKey: expect.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/),
    playbackId: expect.stringMatching(/^[a-z0-9]{16}$/),
  });
  const id = stream.id!;

  const got = await client.stream.get(id);
  expect(got.stream).toEqual(stream);

  const plain = (await client.stream.create({ name: 'Plain' })).stream!;
  expect((await client.stream.getAll()).data).toEqual([plain, stream]);
  expect((await client.stream.getAll('1')).data).toEqual([plain, stream]);

  const updated = await client.stream.update({ name: 'Monday show', record: true, suspended: false }, id);
  expect(updated.statusCode).toBe(204);
  expect((await client.stream.get(id)).stream).toEqual({ ...stream, name: 'Monday show', record: true, suspended: false });

  const session = api.store.ledger.beginSession(id, api.store.clock.time);
  api.store.ledger.addProgress(session.id, {
    lastSeen: api.store.clock.time,
    sourceSegments: 3,
    sourceDurationSeconds: 6.006,
    transcodedSegments: 6,
    transcodedDurationSeconds: 12.012,
  });
  const counters = {
    sourceSegments: 3,
    sourceSegmentsDuration: 6.006,
    transcodedSegments: 6,
    transcodedSegmentsDuration: 12.012,
  };
  const shown = { id: session.id, parentId: id, name: 'Monday show', record: true, profiles, ...counters };
  expect((await client.session.getAll()).data).toEqual([expect.objectContaining(shown)]);
  expect((await client.session.getRecorded(id)).data).toEqual([expect.objectContaining(shown)]);
  expect((await client.session.get(session.id)).session).toEqual(expect.objectContaining(shown));
  expect((await client.stream.get(id)).stream).toMatchObject({ isActive: true, ...counters });

  expect((await client.stream.terminate(id)).statusCode).toBe(204);
  expect((await client.stream.delete(id)).statusCode).toBe(204);
  expect((await client.stream.getAll()).data).toEqual([plain]);
});

test('its errors carry status and sentences', async () => {
  const refused = (status: number, sentence: string) => ({ statusCode: status, body: JSON.stringify({ errors: [sentence] }) });
  await expect(client.stream.get('unknown')).rejects.toMatchObject(refused(404, 'No stream has this id.'));
  const tooSmall = { name: 'a', profiles: [{ ...profiles[0]!, width: 127 }] };
  await expect(client.stream.create(tooSmall)).rejects.toMatchObject(refused(422, 'profiles[0].width: must be at least 128'));
  const stranger = new Livepeer({
    apiKey: 'wrong',
    serverURL: `http://127.0.0.1:${new URL(api.app.listeningOrigin).port}/api`,
  });
  await expect(stranger.stream.getAll()).rejects.toMatchObject(refused(401, 'This API key is unknown or has been revoked.'));
});
