import { z } from 'zod';
import { Profile, profileBounds } from './profile.ts';
import { createText, visiblePattern } from './text.ts';

/** The most characters of a stream's name. */
export const maxStreamNameLength = 500;

/** A stream's name: any text with a visible character. */
const StreamName = createText(maxStreamNameLength)
  .refine((name) => name.trim() !== '', 'must not be blank')
  .refine((name) => name.isWellFormed(), 'must not contain a lone surrogate')
  .meta({ pattern: visiblePattern });

const Profiles = z.array(Profile).max(profileBounds.profilesPerStream).meta({
  description:
    'The renditions of a stream. Each needs a unique `name` (`x-uniqueBy`), and all must have the same `fps` (`x-sameValue`). JSON Schema cannot express these two rules.',
  uniqueItems: true,
  'x-uniqueBy': 'name',
  'x-sameValue': 'fps',
});

/** The body of POST /stream (Live Streaming Service Interface, "POST /stream"). */
export const NewStream = z
  .strictObject({ name: StreamName, profiles: Profiles.optional() })
  .meta({ id: 'NewStream', description: 'What a stream is created from.' });
export type NewStream = z.infer<typeof NewStream>;

/** Whether a stream is to be recorded; stored for the clients that set it. */
export const RecordFlag = z.boolean().meta({ description: 'Only stored: Tallylight makes no recordings.' });

/** An egress target in a stream's `multistream` property; stored for the clients that set it. */
const MultistreamTarget = z.strictObject({
  id: createText(500),
  profile: createText(500),
  videoOnly: z.boolean().optional(),
});

const Multistream = z
  .strictObject({ targets: z.array(MultistreamTarget).max(16) })
  .meta({ description: 'Only stored: Tallylight sends to no targets.' });

/** The body of PATCH /stream/{id}: at least one property. */
export const StreamChanges = z
  .strictObject({
    name: StreamName.optional(),
    profiles: Profiles.optional(),
    record: RecordFlag.optional(),
    suspended: z.boolean().optional(),
    multistream: Multistream.optional(),
  })
  .meta({ id: 'StreamChanges', description: 'The properties of a stream to change, at least one.', minProperties: 1 });
export type StreamChanges = z.infer<typeof StreamChanges>;

/** The four counters: of all time on a stream, of one broadcast on a session. Durations in seconds. */
export const counterShape = {
  sourceSegments: z.int().min(0),
  sourceSegmentsDuration: z.number().min(0),
  transcodedSegments: z.int().min(0),
  transcodedSegmentsDuration: z.number().min(0),
};

/**
 * What streams and sessions have in common. Times are Unix epoch milliseconds; `lastSeen` 0 means never. `name` has no bounds: a
 * damaged store may have any text.
 */
export const commonShape = {
  id: z.string(),
  kind: z.literal('stream'),
  name: z.string(),
  profiles: z.array(Profile).optional(),
  createdAt: z.int(),
  createdByTokenName: z.string().optional(),
  isActive: z.boolean(),
  lastSeen: z.int(),
  ...counterShape,
  userID: z.string(),
  userId: z.string(),
};

/** A stream as the public interface shows it (Live Streaming Service Interface, "Stream object"). */
export const Stream = z
  .object({
    ...commonShape,
    streamKey: z.string(),
    playbackId: z.string(),
    record: RecordFlag.optional(),
    suspended: z.boolean().optional(),
    multistream: Multistream.optional(),
  })
  .meta({ id: 'Stream', description: 'A named channel with its stream key and playback id.' });
export type Stream = z.infer<typeof Stream>;
