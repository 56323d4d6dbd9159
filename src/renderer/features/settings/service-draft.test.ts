import { expect, test } from 'vitest';
import { lackUrlParse } from '../../../../test/support/old-safari.ts';
import type { RemoteFailure } from '../../../shared/model/remote-failure.ts';
import type { Failure } from '../../client/failure.ts';
import { draftOfService, findServiceChanges, findServiceFaults, placeServiceFailure } from './service-draft.ts';

const known = { id: 'x', name: 'Team', baseUrl: 'https://live.example.com/api', mediaOrigins: [] };

test('a new service needs a name, an address and a key; a known one keeps its key', () => {
  const empty = draftOfService(undefined);
  expect(Object.keys(findServiceFaults(empty, false))).toEqual(['name', 'baseUrl', 'apiKey']);
  expect(findServiceFaults(draftOfService(known), true)).toEqual({});
  expect(findServiceFaults({ ...draftOfService(known), apiKey: 'two words' }, true)).toEqual({
    apiKey: 'Paste the whole API key, without spaces.',
  });
  expect(findServiceFaults({ name: 'Team', baseUrl: 'http://192.168.1.20:4600/api', apiKey: ' tl_x\n' }, false)).toEqual({
    baseUrl: 'Use an address like https://live.example.com/api. Only this computer can be reached without HTTPS.',
  });
});

test('an address is checked in Safari 17, too', () => {
  lackUrlParse();
  expect(findServiceFaults({ name: 'Team', baseUrl: 'http://127.0.0.1:4600/api', apiKey: 'tl_x' }, false)).toEqual({});
  expect(Object.keys(findServiceFaults({ name: 'Team', baseUrl: 'live', apiKey: 'tl_x' }, false))).toEqual(['baseUrl']);
});

test('only changes are sent', () => {
  expect(findServiceChanges(draftOfService(known), known)).toEqual({});
  expect(findServiceChanges({ name: 'Crew', baseUrl: known.baseUrl, apiKey: ' k \u200b' }, known)).toEqual({
    name: 'Crew',
    apiKey: 'k',
    insteadOf: known.baseUrl,
  });
  expect(findServiceChanges({ ...draftOfService(known), name: 'Crew' }, known)).toEqual({ name: 'Crew' });
  expect(findServiceChanges({ ...draftOfService(known), baseUrl: 'https://b.example.com' }, known)).toEqual({
    baseUrl: 'https://b.example.com',
    insteadOf: known.baseUrl,
  });
});

test('a failure is shown at the field that explains it', () => {
  const failure = (changes: Partial<Failure>): Failure => ({
    code: 'REMOTE_FAILED',
    sentence: 'It failed.',
    violations: [],
    ...changes,
  });
  const fieldOf = (remoteFailure: RemoteFailure) => placeServiceFailure(failure({ remoteFailure }))?.field;
  expect(fieldOf({ code: 'key-refused', status: 401 })).toBe('apiKey');
  expect(fieldOf({ code: 'name-not-found', host: 'x' })).toBe('baseUrl');
  expect(fieldOf({ code: 'not-offered', status: 404 })).toBe('baseUrl');
  expect(fieldOf({ code: 'server-error', status: 500 })).toBeUndefined();
  expect(placeServiceFailure(failure({ code: 'UNAVAILABLE' }))).toBeUndefined();
  const violationOf = (property: string) =>
    failure({ code: 'INVALID_INPUT', violations: [{ code: 'rule', path: [property], words: 'must be entered again' }] });
  expect(placeServiceFailure(violationOf('apiKey'))).toEqual({
    field: 'apiKey',
    sentence: 'Enter the key again: the saved one is for another address.',
  });
  expect(placeServiceFailure(violationOf('baseUrl'))).toEqual({
    field: 'baseUrl',
    sentence: 'The address has just been changed on another page. Close this and open it again to see it.',
  });
});
