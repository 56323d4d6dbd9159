import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand, someProfile, unknownId } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeEach(async () => {
  api = await openApiStand();
});
afterEach(() => api.close());

describe('PATCH /stream/{id}', () => {
  test('answers 204 without a body, and changes only the given properties', async () => {
    const stream = await api.create({ name: 'a', profiles: [someProfile] });
    const changes = {
      name: 'b',
      profiles: [],
      record: true,
      suspended: false,
      multistream: { targets: [{ id: 't', profile: 'source', videoOnly: true }] },
    };
    for (const [name, value] of Object.entries(changes)) {
      expect(await api.ask('PATCH', `/stream/${stream.id}`, { [name]: value })).toMatchObject({ status: 204, body: undefined });
    }
    expect((await api.ask('GET', `/stream/${stream.id}`)).body).toEqual({ ...stream, ...changes });
  });

  test.each(['profiles', 'record'])('%s of an active stream is 400; a name and suspension are not', async (name) => {
    const { id } = await api.create();
    api.store.ledger.beginSession(id, api.store.clock.time);
    const value = name === 'record' ? true : [someProfile];
    expect(await api.ask('PATCH', `/stream/${id}`, { [name]: value })).toMatchObject({
      status: 400,
      body: { errors: ['Profiles and recording cannot be changed while the stream is on air. Stop it first.'] },
    });
    expect((await api.ask('PATCH', `/stream/${id}`, { name: 'b' })).status).toBe(204);
  });

  test('suspending ends the running session and refuses the key', async () => {
    const { id, streamKey } = await api.create();
    expect((await api.ask('PATCH', `/stream/${id}`, { suspended: true })).status).toBe(204);
    expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'suspended', by: 'robot' }]);
    expect(api.store.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'suspended' });
  });

  test('a session object is 400, an unknown id 404, a semantic violation 400, an unknown property or no property 422', async () => {
    const { id } = await api.create();
    const session = api.store.ledger.beginSession(id, 1);
    expect((await api.ask('PATCH', `/stream/${session.id}`, { name: 'b' })).status).toBe(400);
    expect((await api.ask('PATCH', `/stream/${unknownId}`, { name: 'b' })).status).toBe(404);
    expect((await api.ask('PATCH', `/stream/${id}`, { profiles: [someProfile, someProfile] })).status).toBe(400);
    expect((await api.ask('PATCH', `/stream/${id}`, { other: 1 })).status).toBe(422);
    expect(await api.ask('PATCH', `/stream/${id}`, {})).toMatchObject({
      status: 422,
      body: { errors: ['body: must have at least one property to change'] },
    });
  });
});

describe('DELETE', () => {
  test('ends the session and deletes the stream: its key is refused, further calls are 404, also for its sessions', async () => {
    const { id, streamKey, playbackId } = await api.create();
    const session = api.store.ledger.beginSession(id, api.store.clock.time);
    expect(await api.ask('DELETE', `/stream/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'deleted', by: 'robot' }]);
    for (const path of [`/stream/${id}`, `/stream/${id}/sessions`, `/stream/${session.id}`, `/session/${session.id}`]) {
      expect((await api.ask('GET', path)).status).toBe(404);
    }
    expect((await api.ask('DELETE', `/stream/${id}`)).status).toBe(404);
    expect((await api.ask('DELETE', `/stream/${id}/terminate`)).status).toBe(404);
    expect((await api.ask('PATCH', `/stream/${id}`, { name: 'b' })).status).toBe(404);
    expect((await api.ask('GET', '/stream')).body).toEqual([]);
    expect((await api.ask('GET', '/session')).body).toEqual([]);
    expect(api.store.streams.findByStreamKey(streamKey)).toEqual({ kind: 'unknown' });
    expect(api.store.streams.findByPlaybackId(playbackId)).toBeUndefined();
  });

  test('a DELETE of a session is 400', async () => {
    const { id } = await api.create();
    const session = api.store.ledger.beginSession(id, 1);
    expect((await api.ask('DELETE', `/stream/${session.id}`)).status).toBe(400);
    expect((await api.ask('DELETE', `/stream/${session.id}/terminate`)).status).toBe(400);
  });

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'a DELETE with the content type %s but no body is accepted',
    async (type) => {
      const { id } = await api.create();
      expect((await api.ask('DELETE', `/stream/${id}`, undefined, { 'content-type': type })).status).toBe(204);
    },
  );

  test('a DELETE whose body has no announced length and is empty is accepted, too', async () => {
    const { id } = await api.create();
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect((await api.ask('DELETE', `/stream/${id}`, '', headers)).status).toBe(204);
  });

  test('a DELETE with a body that is not JSON is answered with 415, and deletes nothing', async () => {
    const { id } = await api.create();
    expect((await api.ask('DELETE', `/stream/${id}`, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await api.ask('GET', `/stream/${id}`)).status).toBe(200);
  });

  test.each([0, -3_600_000, 3_600_000])(
    'terminate ends the session, the stream stays usable; again within 5 s is 429, even if the wall clock is set by %i ms',
    async (setMs) => {
      const { id, streamKey } = await api.create();
      const terminate = () => api.ask('DELETE', `/stream/${id}/terminate`);
      expect(await terminate()).toMatchObject({ status: 204, body: undefined });
      expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'terminated', by: 'robot' }]);
      expect(api.store.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'found' });
      api.store.clock.setMs = setMs;
      api.store.clock.time += 4_999;
      expect(await terminate()).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
      api.store.clock.time += 1;
      expect((await terminate()).status).toBe(204);
    },
  );
});
