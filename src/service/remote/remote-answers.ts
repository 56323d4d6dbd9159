import { z } from 'zod';
import { cutText } from '../../shared/cut-text.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { Profile, profileBounds } from '../../shared/model/profile.ts';
import { maxBaseUrlLength } from '../../shared/model/region.ts';
import { maxStreamNameLength } from '../../shared/model/stream.ts';
import { withoutEndSlashes } from '../../shared/without-end-slashes.ts';

/** The most entries taken from a list: not every service knows `limit`, and checking a list takes time. */
export const maxListed = 1_000;

/** A value that a service may omit, or set to `null`. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);
const count = z
  .number()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .nullish()
  .transform((value) => value ?? 0);
const wholeCount = count.transform(Math.round);
/** Text that can be part of a URL's path without escaping. */
const Id = z.string().regex(/^[A-Za-z0-9_.~-]{1,200}$/);

/** Longer names than the interface allows are cut. */
const Name = z.string().transform((name) => cutText(name, maxStreamNameLength));

/** Only profiles that our own screens can show, and at most as many. A service may allow others. */
const Profiles = z.array(z.unknown()).transform((profiles) =>
  profiles.slice(0, profileBounds.profilesPerStream).flatMap((profile) => {
    const known = KnownProfile.safeParse(profile);
    return known.success ? [known.data] : [];
  }),
);
/** Without the properties that the interface doesn't have. */
const KnownProfile = z.object(Profile.shape).pipe(Profile);

const common = {
  id: Id,
  name: Name,
  createdAt: wholeCount,
  isActive: optional(z.boolean()).transform((isActive) => isActive ?? false),
  lastSeen: wholeCount,
  sourceSegments: wholeCount,
  sourceSegmentsDuration: count,
  transcodedSegments: wholeCount,
  transcodedSegmentsDuration: count,
};

/** The part of a service's stream object that is used here (Live Streaming Service Interface, "Stream object"). */
export const AnsweredStream = z.object({
  ...common,
  playbackId: Id,
  streamKey: z.string().min(1).max(500),
  profiles: optional(Profiles),
  createdByTokenName: optional(Name),
  record: optional(z.boolean()),
  suspended: optional(z.boolean()),
});
export type AnsweredStream = z.infer<typeof AnsweredStream>;

/** A broadcast in a service's answer. */
export const AnsweredSession = z.object(common);
export type AnsweredSession = z.infer<typeof AnsweredSession>;

/** A page of GET /stream. Sessions among the streams are left out: not every service knows `streamsonly`. */
export const AnsweredStreams = z
  .array(z.unknown())
  .transform((objects) => objects.filter((object) => !isSession(object)).slice(0, maxListed))
  .pipe(z.array(AnsweredStream));

function isSession(object: unknown): boolean {
  return typeof object === 'object' && object !== null && typeof (object as { parentId?: unknown }).parentId === 'string';
}

/** Broadcasts of one stream. */
export const AnsweredSessions = z
  .array(z.unknown())
  .transform((objects) => objects.slice(0, maxListed))
  .pipe(z.array(AnsweredSession));

/** A broadcast with the id of its stream. */
const ParentedSession = AnsweredSession.extend({ parentId: Id });
export type ParentedSession = z.infer<typeof ParentedSession>;

/** A page of GET /stream with `sessionsonly`. Streams among the sessions are left out. */
export const ParentedSessions = z
  .array(z.unknown())
  .transform((objects) => objects.filter(isSession).slice(0, maxListed))
  .pipe(z.array(ParentedSession));

const BaseUrl = z.string().max(maxBaseUrlLength).transform(withoutEndSlashes);

/** The pairs of GET /ingest, in their order. */
export const RemotePairs = z
  .array(z.object({ ingest: BaseUrl, playback: BaseUrl, base: optional(BaseUrl) }))
  .max(1000)
  .transform((pairs) => pairs.map(({ base, ...pair }): IngestPair => (base ? { ...pair, base } : pair)));
