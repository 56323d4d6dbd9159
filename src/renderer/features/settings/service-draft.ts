import { NewRemoteService, type RemoteServiceChanges, type RemoteServiceView } from '../../../shared/model/remote-service.ts';
import { trimPasted } from '../../../shared/trim-pasted.ts';
import type { Failure } from '../../client/failure.ts';

/** A remote service as typed. */
export interface ServiceDraft {
  name: string;
  baseUrl: string;
  apiKey: string;
}

export type ServiceFaults = Partial<Record<keyof ServiceDraft, string>>;

/** The form for a service; for a new one without any. Its key is never shown. */
export function draftOfService(service: RemoteServiceView | undefined): ServiceDraft {
  return { name: service?.name ?? '', baseUrl: service?.baseUrl ?? '', apiKey: '' };
}

const advice: Readonly<Record<keyof ServiceDraft, string>> = {
  name: 'Give it a name of 100 characters or fewer.',
  baseUrl: 'Use an address like https://live.example.com/api. Only this computer can be reached without HTTPS.',
  apiKey: 'Paste the whole API key, without spaces.',
};

/** What is wrong with the form. The key of a known service may stay empty: then it is kept. */
export function findServiceFaults({ name, baseUrl, apiKey }: ServiceDraft, isKnown: boolean): ServiceFaults {
  const { shape } = NewRemoteService;
  const isRight: Record<keyof ServiceDraft, boolean> = {
    name: shape.name.safeParse(name).success,
    baseUrl: shape.baseUrl.safeParse(baseUrl).success,
    apiKey: (isKnown && apiKey === '') || shape.apiKey.safeParse(trimPasted(apiKey)).success,
  };
  const wrong = (['name', 'baseUrl', 'apiKey'] as const).filter((field) => !isRight[field]);
  return Object.fromEntries(wrong.map((field) => [field, advice[field]]));
}

/** Only the differences from the known service. A key goes only to the address it was entered for, even if another page has changed it. */
export function findServiceChanges({ name, baseUrl, apiKey }: ServiceDraft, known: RemoteServiceView): RemoteServiceChanges {
  const [isMoved, isKeyNew] = [baseUrl !== known.baseUrl, trimPasted(apiKey) !== ''];
  return {
    ...(name !== known.name && { name }),
    ...(isMoved && { baseUrl }),
    ...(isKeyNew && { apiKey: trimPasted(apiKey) }),
    ...((isMoved || isKeyNew) && { insteadOf: known.baseUrl }),
  };
}

/** The field that explains a refused request, with the sentence to show there; undefined if none does. */
export function placeServiceFailure(failure: Failure): { field: keyof ServiceDraft; sentence: string } | undefined {
  const { remoteFailure, violations, sentence } = failure;
  const isNamed = (field: keyof ServiceDraft) =>
    violations.some((violation) => 'path' in violation && violation.path[0] === field);
  if (isNamed('apiKey')) return { field: 'apiKey', sentence: 'Enter the key again: the saved one is for another address.' };
  // The form has checked everything else about it.
  if (isNamed('baseUrl')) {
    return {
      field: 'baseUrl',
      sentence: 'The address has just been changed on another page. Close this and open it again to see it.',
    };
  }
  switch (remoteFailure?.code) {
    case undefined:
      return undefined;
    case 'key-refused':
    case 'key-lost':
      return { field: 'apiKey', sentence };
    case 'too-many-requests':
    case 'server-error':
    case 'refused':
    case 'timed-out':
      return undefined;
    default:
      return { field: 'baseUrl', sentence };
  }
}
