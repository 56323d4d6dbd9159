import { z } from 'zod';

/** Why the OS keychain can't be used. */
const KeychainFault = z.discriminatedUnion('code', [
  z.object({ code: z.literal('keychain-silent'), forMs: z.number() }),
  z.object({ code: z.literal('libsecret-missing') }),
  /** No D-Bus session is running. */
  z.object({ code: z.literal('dbus-missing') }),
  z.object({ code: z.literal('keyring-missing') }),
  /** `reason` is the system's own words, without a full stop. */
  z.object({
    code: z.literal('keychain-refused'),
    keychain: z.enum(['keyring', 'macos-keychain', 'credential-manager']),
    reason: z.string(),
  }),
  /** It has lost an entry as soon as it was set. */
  z.object({ code: z.literal('entry-not-kept') }),
]);
export type KeychainFault = z.infer<typeof KeychainFault>;

/** Why the key file at the absolute `path` can't be used. */
const KeyFileFault = z.discriminatedUnion('code', [
  /** `reason` is the system's code, like `EACCES`; here and in `file-not-created`. */
  z.object({ code: z.literal('file-unreadable'), path: z.string(), reason: z.string() }),
  z.object({ code: z.literal('not-a-file'), path: z.string() }),
  /** Other users can read or write it; `mode` is its permission bits. */
  z.object({ code: z.literal('file-exposed'), path: z.string(), mode: z.int() }),
  z.object({ code: z.literal('file-of-other-user'), path: z.string() }),
  /** Other users can write its folder, and so replace it. */
  z.object({ code: z.literal('folder-exposed'), path: z.string(), folder: z.string() }),
  /** It has something else in it. */
  z.object({ code: z.literal('file-without-key'), path: z.string() }),
  z.object({ code: z.literal('file-not-created'), path: z.string(), reason: z.string() }),
]);
export type KeyFileFault = z.infer<typeof KeyFileFault>;

/** Why a secret store can't be used. */
const SecretStoreFault = z.discriminatedUnion('code', [...KeychainFault.options, ...KeyFileFault.options]);
export type SecretStoreFault = z.infer<typeof SecretStoreFault>;

/** A location of a master key that outlives the process; `path` is absolute, and only a file has one. */
const KeyLocation = z.object({ kind: z.enum(['os', 'file']), path: z.string().optional() });
export type KeyLocation = z.infer<typeof KeyLocation>;

/** Why the master key that sealed a data folder's secrets is unavailable. `because` says why it can't be read; without it, it isn't there. */
const MissingKeyFault = z.discriminatedUnion('code', [
  /** The key should be at `at`, in the chosen secret store. */
  z.object({ code: z.literal('key-missing'), at: KeyLocation, because: SecretStoreFault.optional() }),
  /** Another key is at `at`. */
  z.object({ code: z.literal('key-replaced'), at: KeyLocation }),
  /** The damaged store has lost which key it is, and none at `at` is the one. */
  z.object({ code: z.literal('key-location-lost'), at: KeyLocation, because: SecretStoreFault.optional() }),
  /** The key should be at `at`, the location before the chosen one. */
  z.object({ code: z.literal('earlier-key-missing'), at: KeyLocation, because: SecretStoreFault.optional() }),
  /** The key is in another file, whose path an earlier version did not store. */
  z.object({ code: z.literal('earlier-key-unnamed') }),
  /** The key can't move from `from` to `to`; without `from`, it is in a file whose path an earlier version did not store. */
  z.object({ code: z.literal('key-immovable'), from: KeyLocation.optional(), to: KeyLocation, because: SecretStoreFault }),
]);
export type MissingKeyFault = z.infer<typeof MissingKeyFault>;

/** Why a service can't open its secrets. */
export const SecretsFault = z.discriminatedUnion('code', [...SecretStoreFault.options, ...MissingKeyFault.options]);
export type SecretsFault = z.infer<typeof SecretsFault>;
