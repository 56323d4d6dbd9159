import { encodeBounds } from '../../shared/model/encode-settings.ts';
import {
  type PageCaptureFailure,
  type PageCaptureOrder,
  type PageDevice,
  usesPicker,
} from '../../shared/model/page-capture.ts';
import { isDesktopPage } from '../client/is-desktop-page.ts';
import { canReadTracks } from './track-processor.ts';

/** The media opened for an order. */
export interface OpenedMedia {
  /** Its kind, and its name as the system shows it. */
  of: 'screen' | 'window' | 'camera' | 'microphone' | 'system';
  name: string;
  /** The id of a camera or a microphone. */
  deviceId?: string | undefined;
  /** Whether the picture's constraints must stay as they are; it then has the largest size that may be wanted. */
  keepsSize?: boolean;
  picture: MediaStreamTrack | undefined;
  sound: MediaStreamTrack | undefined;
  /** Whether the sound is everything that this computer plays, including Tallylight's monitor. */
  hearsMonitor?: boolean;
}

/** The sound as it is, without the processing that browsers apply to calls. */
const unprocessed = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** Screen capture's constraints that TypeScript's types don't have. */
type OwnAudioConstraints = MediaTrackConstraints & { restrictOwnAudio?: boolean };
type OwnAudioSettings = MediaTrackSettings & { restrictOwnAudio?: boolean };

/** The largest picture asked for at first; the service then says what it wants. */
const openingSize = { width: 1280, height: 720, fps: 30 };

/** The largest picture that the service may ever want, upright or not. */
const largestSize = { width: encodeBounds.longSide.max, height: encodeBounds.longSide.max, fps: encodeBounds.fps.max };

/** Why capturing is impossible on this page; undefined if it is possible. */
export function findObstacle(page: Window & typeof globalThis): PageCaptureFailure | undefined {
  if (!page.isSecureContext) return { code: 'insecure' };
  return canReadTracks() && 'getDisplayMedia' in page.navigator.mediaDevices ? undefined : { code: 'unsupported' };
}

/**
 * Opens the ordered media; the user or the system may have to allow it.
 *
 * A screen needs a user's gesture (Screen Capture, "getDisplayMedia"): call it at once when there is one.
 *
 * @throws the browser's error; {@link explainCaptureError} says what it means
 */
export async function openMedia(order: PageCaptureOrder): Promise<OpenedMedia> {
  if (order.of === 'camera')
    return openDevice('camera', { video: { ...byId(order.deviceId), ...pictureConstraints('camera', openingSize) } });
  if (order.of === 'microphone')
    return openDevice('microphone', { audio: { ...byId(order.deviceId), ...unprocessed, channelCount: { ideal: 2 } } });
  return openScreen(order);
}

async function openDevice(of: 'camera' | 'microphone', constraints: MediaStreamConstraints): Promise<OpenedMedia> {
  const stream = await navigator.mediaDevices.getUserMedia(constraints);
  const [picture] = stream.getVideoTracks();
  const [sound] = stream.getAudioTracks();
  const track = picture ?? sound;
  const name = track?.label || (of === 'camera' ? 'Camera' : 'Microphone');
  return { of, picture, sound, name, deviceId: track?.getSettings().deviceId };
}

async function openScreen(order: PageCaptureOrder): Promise<OpenedMedia> {
  const { of, withSound } = order;
  const keepsSize = isPickedByMacos(order);
  // The monitor's own sound must not go out again. In a browser this helps only against this page's own.
  const audio: OwnAudioConstraints = { ...unprocessed, restrictOwnAudio: true };
  const stream = await navigator.mediaDevices.getDisplayMedia({
    video: pictureConstraints('screen', keepsSize ? largestSize : openingSize),
    audio: of === 'system' || withSound === true ? audio : false,
    systemAudio: 'include',
    selfBrowserSurface: 'exclude',
    surfaceSwitching: 'include',
  } as DisplayMediaStreamOptions);
  const [picture] = stream.getVideoTracks();
  const [given] = stream.getAudioTracks();
  // If macOS doesn't allow the sound, its track has already ended.
  const isRefused = given?.readyState === 'ended';
  const sound = isRefused ? undefined : given;
  const surface = picture?.getSettings().displaySurface;
  const hearsMonitor = isAllThatPlays(sound, surface);
  if (of === 'system') {
    // Only its sound is wanted, but the browser asks for a screen.
    picture?.stop();
    if (isRefused) throw new DOMException('The system refused the sound.', 'NotAllowedError');
    if (sound === undefined) throw new DOMException('No sound was shared.', 'TallylightNoSound');
    return { of: 'system', name: 'System sound', picture: undefined, sound, hearsMonitor };
  }
  const name = nameSurface(surface, picture?.label);
  return { of: surface === 'monitor' ? 'screen' : 'window', name, keepsSize, picture, sound, hearsMonitor };
}

/**
 * Whether a sound is everything that this computer plays. For a tab or a window, a browser captures only its sound; the app captures
 * everything but its own sound, where Chromium can take that out (on Windows 11 and on newer macOS) and says so.
 */
function isAllThatPlays(sound: MediaStreamTrack | undefined, surface: string | undefined): boolean {
  if (sound === undefined) return false;
  if (!isDesktopPage({ navigator })) return surface === 'monitor';
  const { restrictOwnAudio }: OwnAudioSettings = sound.getSettings();
  return restrictOwnAudio !== true;
}

/** Whether the app has macOS's own picker ask, which asks again when the track's constraints change (electron/electron#44684). */
function isPickedByMacos({ of, deviceId }: PageCaptureOrder): boolean {
  return of === 'screen' && deviceId === undefined && isDesktopPage({ navigator }) && /Mac OS X/.test(navigator.userAgent);
}

/** Browsers call a screen `screen:1:0` or a tab `web-contents-media-stream://…`: then its kind is its name. */
function nameSurface(surface: string | undefined, label = ''): string {
  const isInternal = label === '' || /^[\w-]+:/.test(label);
  return isInternal ? (surfaceNames[surface ?? ''] ?? 'Screen') : label;
}

const surfaceNames: Record<string, string> = { monitor: 'Screen', window: 'Window', browser: 'Browser tab' };

/** A constraint that TypeScript's types don't have (Media Capture and Streams, "resizeMode"). */
type ResizeConstraints = MediaTrackConstraints & { resizeMode?: ConstrainDOMString };

/** The constraints for a picture of a wanted size. A screen is scaled down and keeps its shape; a camera has its own sizes. */
export function pictureConstraints(
  of: OpenedMedia['of'],
  { width, height, fps }: { width: number; height: number; fps: number },
): ResizeConstraints {
  if (of !== 'camera') return { width: { max: width }, height: { max: height }, frameRate: { max: fps } };
  // Cropping to the wanted shape would cut off what a 4:3 camera sees.
  return { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: fps }, resizeMode: { ideal: 'none' } };
}

function byId(deviceId: string | undefined): MediaTrackConstraints {
  return deviceId === undefined ? {} : { deviceId: { exact: deviceId } };
}

/**
 * What the errors of `getUserMedia` and `getDisplayMedia` mean (Media Capture and Streams; Screen Capture). They share names, but a screen
 * can't be in use elsewhere and doesn't come back: it closed after it was chosen, or the system failed to deliver it.
 */
export function explainCaptureError(error: unknown, order: Pick<PageCaptureOrder, 'of'>): PageCaptureFailure {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return { code: 'refused' };
    case 'NotFoundError':
    case 'OverconstrainedError':
      return { code: usesPicker(order) ? 'not-opened' : 'not-found' };
    case 'NotReadableError':
    case 'AbortError':
      return { code: usesPicker(order) ? 'not-opened' : 'in-use' };
    case 'TallylightNoSound':
      return { code: 'no-sound' };
    default:
      return { code: 'broken', detail: `${name} ${message}`.trim().slice(0, 2048) };
  }
}

/** The cameras and microphones of this browser; it names them only once one was allowed. */
export async function listDevices(): Promise<PageDevice[]> {
  const found = await navigator.mediaDevices.enumerateDevices();
  return found.flatMap(({ kind, deviceId, label }) => {
    const of = deviceKinds[kind];
    return of === undefined || deviceId === '' || label === '' ? [] : [{ of, id: deviceId, name: label }];
  });
}

const deviceKinds: Partial<Record<MediaDeviceKind, 'camera' | 'microphone'>> = {
  videoinput: 'camera',
  audioinput: 'microphone',
};
