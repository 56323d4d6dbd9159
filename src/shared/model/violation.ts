import { z } from 'zod';
import { SettingSource } from './settings.ts';

/** A path like `['profiles', 0, 'width']`; empty for the whole input. */
const path = z.array(z.union([z.string(), z.number()]));

/** What a bound applies to. */
const of = z.enum(['length', 'elements', 'value']);

/**
 * What is wrong with input, and where. It never repeats values, which may be secrets put in the wrong place, except for profile
 * names.
 */
export const Violation = z.discriminatedUnion('code', [
  z.object({ code: z.literal('unknown-property'), path }),
  z.object({ code: z.literal('required'), path }),
  /** `type` is the schema's name for it, like `int`. */
  z.object({ code: z.literal('wrong-type'), path, type: z.string() }),
  z.object({ code: z.literal('too-small'), path, of, least: z.number() }),
  z.object({ code: z.literal('too-big'), path, of, most: z.number() }),
  z.object({
    code: z.literal('not-allowed'),
    path,
    allowed: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
  /** A rule in the schema's own words. */
  z.object({ code: z.literal('rule'), path, words: z.string() }),
  z.object({ code: z.literal('name-reserved'), path }),
  z.object({ code: z.literal('name-taken'), path, name: z.string() }),
  /** `fps` is the first profile's, which all must share. */
  z.object({ code: z.literal('fps-differs'), path, fps: z.number() }),
  /** A region has no URLs, and there is no service domain to make them from. */
  z.object({ code: z.literal('region-without-urls'), path, region: z.string() }),
  /** It names a region that isn't in the list. */
  z.object({ code: z.literal('unknown-region'), path, region: z.string() }),
  /** A setting that the host was given at its start, which nothing else can change. */
  z.object({ code: z.literal('given-at-start'), path, source: SettingSource }),
  /** `count` further violations that aren't listed. */
  z.object({ code: z.literal('more'), count: z.int() }),
]);
export type Violation = z.infer<typeof Violation>;
/** The violations with these codes. */
export type ViolationOf<Code extends Violation['code']> = Extract<Violation, { code: Code }>;
