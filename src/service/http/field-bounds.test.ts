import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeAll(async () => {
  api = await openApiStand();
});
afterAll(() => api.close());

const profile = { name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 };
const target = { id: 't', profile: 'source' };
const withProfile = (changes: object) => ({ profiles: [{ ...profile, ...changes }] });
const withTarget = (changes: object) => ({ multistream: { targets: [{ ...target, ...changes }] } });
const profiles = (count: number) => ({
  profiles: Array.from({ length: count }, (_, index) => ({ ...profile, name: `p${index}` })),
});
const text = (length: number) => 'x'.repeat(length);

/** For each limit of each field: the last accepted value, the first rejected one, and the violation. */
const bounds: [path: string, make: (value: never) => object, good: unknown, bad: unknown, rule: string][] = [
  ['name', (name) => ({ name }), text(1), '', 'must be at least 1 character long'],
  ['name', (name) => ({ name }), text(500), text(501), 'must be at most 500 characters long'],
  ['profiles', profiles, 16, 17, 'must have at most 16 elements'],
  ['profiles[0].name', (name) => withProfile({ name }), text(1), '', 'must be at least 1 character long'],
  ['profiles[0].name', (name) => withProfile({ name }), text(500), text(501), 'must be at most 500 characters long'],
  ['profiles[0].bitrate', (bitrate) => withProfile({ bitrate }), 400, 399, 'must be at least 400'],
  ['profiles[0].bitrate', (bitrate) => withProfile({ bitrate }), 2_000_000_000, 2_000_000_001, 'must be at most 2000000000'],
  ['profiles[0].fps', (fps) => withProfile({ fps }), 0, -1, 'must be at least 0'],
  ['profiles[0].fps', (fps) => withProfile({ fps }), 240, 241, 'must be at most 240'],
  ['profiles[0].width', (width) => withProfile({ width }), 128, 127, 'must be at least 128'],
  ['profiles[0].width', (width) => withProfile({ width }), 8192, 8193, 'must be at most 8192'],
  ['profiles[0].height', (height) => withProfile({ height }), 128, 127, 'must be at least 128'],
  ['profiles[0].height', (height) => withProfile({ height }), 8192, 8193, 'must be at most 8192'],
];

const patchOnlyBounds: typeof bounds = [
  [
    'multistream.targets',
    (count) => ({ multistream: { targets: Array(count).fill(target) } }),
    16,
    17,
    'must have at most 16 elements',
  ],
  ['multistream.targets[0].id', (id) => withTarget({ id }), text(1), '', 'must be at least 1 character long'],
  ['multistream.targets[0].id', (id) => withTarget({ id }), text(500), text(501), 'must be at most 500 characters long'],
  ['multistream.targets[0].profile', (name) => withTarget({ profile: name }), text(1), '', 'must be at least 1 character long'],
  [
    'multistream.targets[0].profile',
    (name) => withTarget({ profile: name }),
    text(500),
    text(501),
    'must be at most 500 characters long',
  ],
];

describe.each(bounds)('%s', (path, make, good, bad, rule) => {
  test(`${show(good)} is accepted and ${show(bad)} is not: ${rule}`, async () => {
    const taken = await api.ask('POST', '/stream', { name: 'a', ...make(good as never) });
    expect(taken).toMatchObject({ status: 201, body: make(good as never) });
    const { id } = taken.body as { id: string };
    expect((await api.ask('PATCH', `/stream/${id}`, make(good as never))).status).toBe(204);
    const refusal = { status: 422, body: { errors: expect.arrayContaining([`${path}: ${rule}`]) } };
    expect(await api.ask('POST', '/stream', { name: 'a', ...make(bad as never) })).toMatchObject(refusal);
    expect(await api.ask('PATCH', `/stream/${id}`, make(bad as never))).toMatchObject(refusal);
    expect((await api.ask('GET', `/stream/${id}`)).body).toEqual(taken.body);
  });
});

describe.each(patchOnlyBounds)('%s', (path, make, good, bad, rule) => {
  test(`${show(good)} is accepted by PATCH and ${show(bad)} is not: ${rule}`, async () => {
    const { id } = (await api.ask('POST', '/stream', { name: 'a' })).body as { id: string };
    expect((await api.ask('PATCH', `/stream/${id}`, make(good as never))).status).toBe(204);
    const before = (await api.ask('GET', `/stream/${id}`)).body;
    expect(before).toMatchObject(make(good as never));
    expect(await api.ask('PATCH', `/stream/${id}`, make(bad as never))).toEqual(
      expect.objectContaining({ status: 422, body: { errors: [`${path}: ${rule}`] } }),
    );
    expect((await api.ask('GET', `/stream/${id}`)).body).toEqual(before);
  });
});

const wrongTypes = [null, true, 5, 1.5, 'x', [], [5], {}, { a: 1 }];

test.each([
  ['name', (name: unknown) => ({ name }), ['x']],
  ['profiles', (value: unknown) => ({ profiles: value }), [[]]],
  ['profiles[0].name', (name: unknown) => withProfile({ name }), ['x']],
  ['profiles[0].bitrate', (bitrate: unknown) => withProfile({ bitrate }), []],
  ['profiles[0].fps', (fps: unknown) => withProfile({ fps }), [5]],
  ['profiles[0].width', (width: unknown) => withProfile({ width }), []],
  ['profiles[0].height', (height: unknown) => withProfile({ height }), []],
  ['record', (record: unknown) => ({ record }), [true]],
  ['suspended', (suspended: unknown) => ({ suspended }), [true]],
  ['multistream', (multistream: unknown) => ({ multistream }), []],
  ['multistream.targets', (targets: unknown) => ({ multistream: { targets } }), [[]]],
  ['multistream.targets[0].videoOnly', (videoOnly: unknown) => withTarget({ videoOnly }), [true]],
] as [string, (value: unknown) => object, unknown[]][])('%s of a wrong type is 422', async (path, make, good) => {
  const { id } = (await api.ask('POST', '/stream', { name: 'a' })).body as { id: string };
  const isGood = (value: unknown) => good.some((each) => JSON.stringify(each) === JSON.stringify(value));
  for (const value of wrongTypes) {
    const { status, body } = await api.ask('PATCH', `/stream/${id}`, make(value));
    if (isGood(value)) expect({ value, status }).toEqual({ value, status: 204 });
    else {
      expect({ value, status }).toEqual({ value, status: 422 });
      expect((body as { errors: string[] }).errors.every((sentence) => sentence.startsWith(path))).toBe(true);
    }
  }
});

function show(value: unknown): string {
  return typeof value === 'string' && value.length > 10 ? `${value.length} characters` : JSON.stringify(value);
}
