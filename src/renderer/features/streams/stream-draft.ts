import { assertNever } from '../../../shared/assert-never.ts';
import { capitalise } from '../../../shared/capitalise.ts';
import { formatCount } from '../../../shared/format-count.ts';
import {
  bitrateBps,
  findProfileConflicts,
  type Profile,
  profileBounds,
  recommendedProfiles,
} from '../../../shared/model/profile.ts';
import { maxStreamNameLength, NewStream, type StreamChanges } from '../../../shared/model/stream.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import type { Violation } from '../../../shared/model/violation.ts';
import { hasSameContent } from '../../../shared/same-content.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { describeRule, describeViolation, formatPath } from '../../../shared/words/violation-words.ts';

/** Which renditions a stream gets besides its source. */
export type LadderChoice = 'none' | 'recommended' | 'custom';

/** A rendition as typed. */
export interface ProfileDraft {
  /** Identifies a row while its name changes. */
  key: number;
  name: string;
  bitrateKilobits: string;
  /** The bitrate to the bit, if it isn't a whole number of kbit/s. */
  bitrateBps?: number;
  width: string;
  height: string;
}

/** A stream's form as typed; `fps` applies to all renditions, and empty keeps the source's. */
export interface StreamDraft {
  name: string;
  ladder: LadderChoice;
  fps: string;
  profiles: readonly ProfileDraft[];
}

/** Advice by the path of its field: `name`, `fps`, `profiles[0].width`. */
export type Faults = Readonly<Record<string, string>>;

/** The lowest bitrate that can be sent in bits per second: below 10 000 it is read as kbit/s. */
const minBitrateKilobits = 10;
const maxBitrateKilobits = profileBounds.bitrate.max / 1000;

/** The form for a new stream. It has renditions, for viewers on weak connections. */
export const emptyDraft: StreamDraft = {
  name: '',
  ladder: 'recommended',
  fps: '',
  profiles: recommendedProfiles.map(toProfileDraft),
};

/** The form for an existing stream. */
export function draftOf(stream: StreamView): StreamDraft {
  const profiles = stream.profiles ?? [];
  const fps = profiles[0]?.fps ?? 0;
  const isRecommended = hasSameContent(profiles, recommendedProfiles);
  return {
    name: stream.name,
    ladder: profiles.length === 0 ? 'none' : isRecommended ? 'recommended' : 'custom',
    fps: fps === 0 ? '' : String(fps),
    profiles: (profiles.length === 0 ? recommendedProfiles : profiles).map(toProfileDraft),
  };
}

function toProfileDraft(profile: Profile, key: number): ProfileDraft {
  const bps = bitrateBps(profile.bitrate);
  return {
    key,
    name: profile.name,
    bitrateKilobits: String(bps / 1000),
    ...(bps % 1000 !== 0 && { bitrateBps: bps }),
    width: String(profile.width),
    height: String(profile.height),
  };
}

/** Another rendition, with empty fields. */
export function blankProfile(profiles: readonly ProfileDraft[]): ProfileDraft {
  return {
    key: Math.max(-1, ...profiles.map((profile) => profile.key)) + 1,
    name: '',
    bitrateKilobits: '',
    width: '',
    height: '',
  };
}

/** The form's values, or all its faults, in the order of the fields. */
export function parseDraft(draft: StreamDraft): { stream: Required<NewStream> } | { faults: Faults } {
  const stream = readDraft(draft);
  const { profiles } = stream;
  const faults: Record<string, string> = {};
  const parsed = NewStream.safeParse(stream);
  for (const issue of parsed.error?.issues ?? []) {
    const path = formatFieldPath(issue.path);
    faults[path] ??= adviseField(path, stream);
  }
  if (draft.ladder === 'custom') {
    for (const [index, profile] of profiles.entries()) {
      const kilobits = profile.bitrate / 1000;
      if (!(kilobits >= minBitrateKilobits && kilobits <= maxBitrateKilobits)) {
        faults[`profiles[${index}].bitrate`] = adviseField('bitrate', stream);
      }
    }
    for (const { code, path } of findProfileConflicts(profiles)) {
      // The form has a single frame rate field.
      if (code !== 'fps-differs') faults[formatPath(path)] ??= nameAdvice[code];
    }
  }
  return Object.keys(faults).length > 0 ? { faults } : { stream };
}

/** The form's values, right or wrong. */
function readDraft({ name, ladder, fps, profiles }: StreamDraft): Required<NewStream> {
  switch (ladder) {
    case 'none':
      return { name, profiles: [] };
    case 'recommended':
      return { name, profiles: [...recommendedProfiles] };
    case 'custom':
      return { name, profiles: profiles.map(toProfile(fps.trim() === '' ? 0 : parseWhole(fps))) };
    default:
      return assertNever(ladder);
  }
}

/** The properties of `opened` that the form has changed to those of `wanted`. */
export function findChanges(opened: StreamView, wanted: Required<NewStream>): StreamChanges {
  // As the form reads them: a bitrate below 10 000 is kbit/s.
  const unedited = new Map<string, unknown>(Object.entries(readDraft(draftOf(opened))));
  return Object.fromEntries(
    Object.entries(wanted).filter(([property, value]) => !hasSameContent(value, unedited.get(property))),
  ) as Partial<NewStream>;
}

const toProfile =
  (fps: number) =>
  (draft: ProfileDraft): Profile => ({
    name: draft.name.trim(),
    bitrate: parseBitrate(draft),
    fps,
    width: parseWhole(draft.width),
    height: parseWhole(draft.height),
  });

/** Bits per second. A bitrate that a program set to the bit stays as it is while its text does. */
function parseBitrate({ bitrateKilobits, bitrateBps: known }: ProfileDraft): number {
  return known !== undefined && bitrateKilobits === String(known / 1000) ? known : parseWhole(bitrateKilobits) * 1000;
}

/** The whole number typed, with or without thousands separators; NaN if it isn't one. */
function parseWhole(text: string): number {
  const digits = text.replaceAll(/[\s\u202f]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** The form field for a schema path. */
function formatFieldPath(path: readonly PropertyKey[]): string {
  const [place, index, field] = path;
  if (place !== 'profiles') return String(place);
  if (field === undefined) return 'profiles';
  return field === 'fps' ? 'fps' : `profiles[${String(index)}].${String(field)}`;
}

function adviseField(path: string, stream: { name: string; profiles: readonly Profile[] }): string {
  const field = path.slice(path.lastIndexOf('.') + 1) as keyof NewStream | keyof Profile;
  const { width, height, fps, nameLength, profilesPerStream } = profileBounds;
  switch (field) {
    case 'name':
      if (path === 'name') {
        const isTooLong = [...stream.name].length > maxStreamNameLength;
        return isTooLong ? `Use ${maxStreamNameLength} characters or fewer.` : 'Give the stream a name.';
      }
      return profileAt(stream, path)?.name === '' ? 'Give it a name, like 720p.' : `Use ${nameLength.max} characters or fewer.`;
    case 'bitrate':
      return `Use ${minBitrateKilobits} to ${withUnit(formatCount(maxBitrateKilobits), 'kbit/s')}.`;
    case 'fps':
      return `Use a whole number up to ${fps.max}, or leave it empty to keep the source's.`;
    case 'profiles':
      return `Use ${profilesPerStream} renditions or fewer.`;
    case 'width':
      return `Use ${width.min} to ${formatCount(width.max)}.`;
    case 'height':
      return `Use ${height.min} to ${formatCount(height.max)}.`;
    default:
      return assertNever(field);
  }
}

function profileAt(stream: { profiles: readonly Profile[] }, path: string): Profile | undefined {
  return stream.profiles[Number(/\[(\d+)\]/.exec(path)?.[1])];
}

const nameAdvice = {
  'name-reserved': 'Choose another name: “source” is reserved.',
  'name-taken': 'Choose another name: a rendition above uses this one.',
} as const;

/** Maps the violations the service found to their fields; those without a field are returned as sentences in `others`. */
export function placeFaults(violations: readonly Violation[]): { faults: Faults; others: string[] } {
  const faults: Record<string, string> = {};
  const others: string[] = [];
  for (const violation of violations) {
    const field = violation.code === 'more' ? undefined : formPath.exec(formatPath(violation.path))?.[0];
    if (violation.code === 'more' || field === undefined) {
      others.push(describeViolation(violation));
      continue;
    }
    faults[field.endsWith('.fps') ? 'fps' : field] = capitalise(describeRule(violation));
  }
  return { faults, others };
}

/** The paths of the form's fields. */
const formPath = /^(name|profiles\[\d+\]\.(name|bitrate|width|height|fps))$/;
