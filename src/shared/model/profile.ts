import { z } from 'zod';
import { createText, wellFormedPattern } from './text.ts';
import type { ViolationOf } from './violation.ts';

/** Bounds of a profile's fields (Live Streaming Service Interface, table "Profile"). */
export const profileBounds = {
  nameLength: { max: 500 },
  bitrate: { min: 400, max: 2_000_000_000 },
  fps: { min: 0, max: 240 },
  width: { min: 128, max: 8192 },
  height: { min: 128, max: 8192 },
  profilesPerStream: 16,
} as const;

/** A reserved profile name: the source rendition is always delivered. */
export const sourceRenditionName = 'source';

/**
 * The settings of one transcoded rendition (Live Streaming Service Interface, "Profile").
 *
 * `bitrate` is stored as given: read it with {@link bitrateBps}. `fps` 0 keeps the source's own rate.
 */
export const Profile = z
  .strictObject({
    name: createText(profileBounds.nameLength.max)
      .refine((name) => name.isWellFormed(), 'must not contain a lone surrogate')
      .meta({
        description: 'Any name except `source` (in any case), which is reserved for the source rendition.',
        pattern: wellFormedPattern,
        not: { pattern: '^[sS][oO][uU][rR][cC][eE]$' },
      }),
    bitrate: z.int().min(profileBounds.bitrate.min).max(profileBounds.bitrate.max),
    fps: z.int().min(profileBounds.fps.min).max(profileBounds.fps.max),
    width: z.int().min(profileBounds.width.min).max(profileBounds.width.max),
    height: z.int().min(profileBounds.height.min).max(profileBounds.height.max),
  })
  .meta({ id: 'Profile', description: 'The settings of one transcoded rendition.' });

export type Profile = z.infer<typeof Profile>;

/** A `bitrate` below this is too low for bits per second, so it is read as kbit/s. */
const kilobitThreshold = 10_000;

/**
 * A profile's bitrate in bits per second.
 *
 * The interface specifies kbit/s in one place and uses bit/s in another. Clients send bit/s, so only a value under 10 000 is
 * read as kbit/s.
 */
export function bitrateBps(bitrate: number): number {
  return bitrate < kilobitThreshold ? bitrate * 1000 : bitrate;
}

/** Conflicts between profiles; empty if there are none. */
export function findProfileConflicts(
  profiles: readonly Profile[],
): ViolationOf<'name-reserved' | 'name-taken' | 'fps-differs'>[] {
  const conflicts: ViolationOf<'name-reserved' | 'name-taken' | 'fps-differs'>[] = [];
  const seen = new Set<string>();
  const fps = profiles[0]?.fps ?? 0;
  for (const [index, profile] of profiles.entries()) {
    const path = ['profiles', index, 'name'];
    if (profile.name.toLowerCase() === sourceRenditionName) conflicts.push({ code: 'name-reserved', path });
    else if (seen.has(profile.name)) conflicts.push({ code: 'name-taken', path, name: profile.name });
    seen.add(profile.name);
    if (profile.fps !== fps) conflicts.push({ code: 'fps-differs', path: ['profiles', index, 'fps'], fps });
  }
  return conflicts;
}

/** The default ladder (720p, 480p and 360p at the source's rate). */
export const recommendedProfiles: readonly Profile[] = [
  { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 },
  { name: '480p', bitrate: 1_600_000, fps: 0, width: 854, height: 480 },
  { name: '360p', bitrate: 800_000, fps: 0, width: 640, height: 360 },
];
