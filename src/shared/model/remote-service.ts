import { z } from 'zod';
import { isLoopbackUrl } from '../loopback-url.ts';
import { parseUrl } from '../parse-url.ts';
import { trimPasted } from '../trim-pasted.ts';
import { withoutEndSlashes } from '../without-end-slashes.ts';
import { RemoteFailure } from './remote-failure.ts';

/** Any name with a visible character. */
const RemoteServiceName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name.trim() !== '', 'must not be blank');

/**
 * The address of a service's API without a slash at its end, like `https://live.example.com/api`; undefined if the text isn't one.
 * Beyond this computer only HTTPS is accepted, since every request carries the API key.
 */
export function parseRemoteBaseUrl(text: string): string | undefined {
  const url = parseUrl(trimPasted(text));
  if (
    url === undefined ||
    url.hostname === '' ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return undefined;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackUrl(url.href))) return undefined;
  return `${url.origin}${withoutEndSlashes(url.pathname)}`;
}

const RemoteBaseUrl = z
  .string()
  .max(1000)
  .refine(
    (text) => parseRemoteBaseUrl(text) !== undefined,
    'must be an address like "https://live.example.com/api". Only this computer can be reached without HTTPS',
  );

/** The API key of a service: what an HTTP header can carry (RFC 9110 §5.5), without spaces. */
const RemoteApiKey = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'must be a key, without spaces');

/** The input that adds a remote service. */
export const NewRemoteService = z.strictObject({ name: RemoteServiceName, baseUrl: RemoteBaseUrl, apiKey: RemoteApiKey });
export type NewRemoteService = z.infer<typeof NewRemoteService>;

/** Changes of a remote service. Another origin needs the API key, too. */
export const RemoteServiceChanges = NewRemoteService.partial().extend({
  /** The address that the changes were made for: if it has changed since, they are refused. */
  insteadOf: RemoteBaseUrl.optional(),
});
export type RemoteServiceChanges = z.infer<typeof RemoteServiceChanges>;

/** A service on another computer whose streams are shown here, without its API key. */
export const RemoteServiceView = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  /** The origins that its streams play from, as far as known. */
  mediaOrigins: z.array(z.string()),
  /** The hosts of its ingests that take media unencrypted, beyond this computer; absent if there are none. */
  plainIngests: z.array(z.string()).min(1).optional(),
  /** Why it didn't answer last time; absent if it did, or hasn't been asked since the start. */
  failure: RemoteFailure.optional(),
});
export type RemoteServiceView = z.infer<typeof RemoteServiceView>;
