import { z } from 'zod';

const Id = z.string().min(1).max(64);
/** Characters of a device's name. */
export const maxNameLength = 1024;
const Name = z.string().min(1).max(maxNameLength);

/**
 * Where captures run: `app` is the desktop app's own capture window, anything else names a browser. A browser's screens and its
 * capture tab share its name.
 */
export const CapturePlace = Id;

/** The place of the desktop app's capture window. */
export const appPlace = 'app';

/** Names a capture in every call and in `Source`. */
export const CaptureId = Id;

/**
 * What a page captures. `screen` is a screen, a window or a tab, as the user picks it, with its sound if asked for; `system` is that
 * sound alone.
 */
export const PageCaptureOrder = z.strictObject({
  of: z.enum(['screen', 'camera', 'microphone', 'system']),
  /** The device, by its id in that page, or the app's id of a screen or window; without one the user or the system chooses. */
  deviceId: z.string().min(1).max(1024).optional(),
  /** Whether the sound of a screen is wanted, too. */
  withSound: z.boolean().optional(),
});
export type PageCaptureOrder = z.infer<typeof PageCaptureOrder>;

/** Whether the browser opens it with its own picker, and only after a user's gesture: system sound comes with a screen. */
export function usesPicker({ of }: Pick<PageCaptureOrder, 'of'>): boolean {
  return of === 'screen' || of === 'system';
}

/**
 * Why a page doesn't capture:
 *
 * - `refused`: the user or the system said no
 * - `not-found`: the device isn't connected
 * - `in-use`: another program, or the system, keeps the device
 * - `not-opened`: the chosen screen or window can't be opened, for example because it was closed; only the user can choose it again
 * - `stuck`: the device is open, but sends nothing
 * - `no-sound`: the user shared something without its sound
 * - `unsupported`: this browser can't capture
 * - `insecure`: the page doesn't come over HTTPS, without which browsers capture nothing
 * - `crashing`: the app's capture window keeps crashing; it is opened again after a minute
 * - `not-loaded`: the app's capture window couldn't load its page; it is opened again after a minute
 * - `broken`: anything else; `detail` is what the browser said
 */
export const PageCaptureFailure = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      'refused',
      'not-found',
      'in-use',
      'not-opened',
      'stuck',
      'no-sound',
      'unsupported',
      'insecure',
      'crashing',
      'not-loaded',
    ]),
  }),
  z.object({ code: z.literal('broken'), detail: z.string().max(2048) }),
]);
export type PageCaptureFailure = z.infer<typeof PageCaptureFailure>;

/**
 * How a capture is doing:
 *
 * - `waiting`: no page has taken it yet
 * - `asking`: the user has to choose or to allow it
 * - `open`: it captures. `isMuted`: the system withholds it (covered, locked, switched off); `isSilent`: the sound has been exactly
 *   zero since it began, as when the system withholds it without an error; `hearsMonitor`: the sound is everything that the computer plays,
 *   including Tallylight's monitor there
 * - `ended`: the user or the system ended what was shared
 * - `failed`: if a device failed, it is opened again when it comes back
 */
export const PageCaptureState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('asking') }),
  z.object({
    kind: z.literal('open'),
    of: z.enum(['screen', 'window', 'camera', 'microphone', 'system']),
    name: Name,
    /** The device, if it is a camera or a microphone, by its id in that page. */
    deviceId: z.string().min(1).max(1024).optional(),
    hasPicture: z.boolean(),
    hasSound: z.boolean(),
    isMuted: z.boolean(),
    isSilent: z.boolean(),
    hearsMonitor: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('ended') }),
  z.object({ kind: z.literal('failed'), failure: PageCaptureFailure }),
]);
export type PageCaptureState = z.infer<typeof PageCaptureState>;

/** A capture, as screens and capture pages see it. */
export const PageCapture = z.object({
  captureId: CaptureId,
  place: CapturePlace,
  order: PageCaptureOrder,
  /** Counts how often the user was asked for it; a report on an earlier time is void. */
  attempt: z.int().min(1),
  state: PageCaptureState,
});
export type PageCapture = z.infer<typeof PageCapture>;

/** The captures that a capture page keeps open; the page is `replaced` while a newer page of its place does the work. */
export const CapturePageOrders = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('works'), captures: z.array(PageCapture) }),
  z.object({ kind: z.literal('replaced') }),
]);
export type CapturePageOrders = z.infer<typeof CapturePageOrders>;

/** A camera or microphone that a page can open, or a screen or window that the app can. */
export const PageDevice = z.object({
  of: z.enum(['camera', 'microphone', 'screen', 'window']),
  id: z.string().min(1).max(1024),
  name: Name,
});
export type PageDevice = z.infer<typeof PageDevice>;

/** How the user picks a screen or a window: the system or the browser asks, or from a list of devices. */
export const ScreenPicker = z.enum(['asks', 'list']);
export type ScreenPicker = z.infer<typeof ScreenPicker>;

/** What one place captures and could capture. */
export const PlaceCaptures = z.object({
  captures: z.array(PageCapture),
  /** The captures of other places that were asked for. */
  elsewhere: z.array(PageCapture),
  /** Empty until a page there was allowed to name them. */
  devices: z.array(PageDevice),
  /** The app's devices; a browser knows its own. */
  app: z
    .object({
      picker: ScreenPicker,
      hasSystemSound: z.boolean(),
      /** Whether the system keeps its screens and windows from the list. */
      areScreensRefused: z.boolean().optional(),
    })
    .optional(),
});
export type PlaceCaptures = z.infer<typeof PlaceCaptures>;

/** The report of a capture page: the devices it can open, and how its captures are doing. */
export const CapturePageReport = z.object({
  devices: z.array(PageDevice).max(200),
  captures: z.array(z.object({ captureId: CaptureId, attempt: z.int(), state: PageCaptureState })).max(64),
});
export type CapturePageReport = z.infer<typeof CapturePageReport>;
