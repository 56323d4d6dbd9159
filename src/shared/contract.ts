import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { type ErrorCode, ErrorDetails, errorTable } from './errors.ts';
import { ApiKey, ApiKeyName } from './model/api-key.ts';
import { AudioMeter } from './model/audio-meter.ts';
import { DeviceList, SourcePreview } from './model/capture.ts';
import { EncodeChoice, EncodePreview } from './model/encode-settings.ts';
import { RegionName } from './model/ingest-pair.ts';
import { PlaybackReport } from './model/live.ts';
import {
  CaptureId,
  CapturePageOrders,
  CapturePageReport,
  CapturePlace,
  PageCaptureOrder,
  PlaceCaptures,
} from './model/page-capture.ts';
import { RegionsView } from './model/region.ts';
import { NewRemoteService, RemoteServiceChanges, RemoteServiceView } from './model/remote-service.ts';
import { Settings, SettingsChanges } from './model/settings.ts';
import { Source } from './model/source.ts';
import { NewStream, StreamChanges } from './model/stream.ts';
import { FileKind, FolderListing, ServiceInfo, SessionView, StreamLive, StreamsEvent, StreamView } from './model/views.ts';

/** Every code of the error table as oRPC's error map: errors cross as data, never as classes. */
const errors = Object.fromEntries(
  Object.entries(errorTable).map(([code, { status }]) => [code, { status, data: ErrorDetails.optional() }]),
) as Record<ErrorCode, { status: number; data: z.ZodOptional<typeof ErrorDetails> }>;

const call = oc.errors(errors);

/** An id that a page chooses. */
const PageChosenId = z.string().min(1).max(64);

/** The page's own; see `playback.report`. */
const PageId = PageChosenId;

/** Of one preview on the page; see `source.watchPreview`. */
const PreviewId = PageChosenId;

/** A stream of this computer by its id, or one of a remote service as `formatStreamRef` names it. */
const StreamId = z.object({ streamId: z.string() });

/**
 * Every call and event between the app's own screens and the service.
 *
 * Each `watch…` is an event iterator: a new listener first gets the current value, then every change, until it cancels.
 */
export const contract = {
  service: {
    watch: call.output(eventIterator(ServiceInfo)),
    /** The service's clock, at once and then every 2 s, epoch milliseconds. A longer silence means the service is lost. */
    beat: call.output(eventIterator(z.object({ now: z.number() }))),
    /** A page on this computer reports that it is online again. Broadcasts that wait to reconnect do so at once. */
    networkReturned: call,
  },
  stream: {
    /** On this computer, or on a remote service. */
    create: call.input(NewStream.extend({ serviceId: z.string().optional() })).output(StreamView),
    update: call.input(z.object({ streamId: z.string(), changes: StreamChanges })).output(StreamView),
    delete: call.input(StreamId),
    /**
     * Every stream of this computer, newest first, then only changes; `followStreams` puts them together. With them come streams of
     * remote services that this computer sends to. With a `serviceId`: the streams of that remote service alone.
     */
    watchAll: call.input(z.object({ serviceId: z.string().optional() }).optional()).output(eventIterator(StreamsEvent)),
    /** One stream; ends with NOT_FOUND when it is deleted. With a `pageId`, reports tell the page's own monitor from others. */
    watch: call.input(z.object({ streamId: z.string(), pageId: PageId.optional() })).output(eventIterator(StreamLive)),
    /** How loud a stream is, up to five times a second while it is on air; no `meter` if there is nothing to measure. Ends as `watch`. */
    watchAudio: call.input(StreamId).output(eventIterator(z.object({ meter: AudioMeter.optional() }))),
    /** The stream key, which no other call returns. */
    revealKey: call.input(StreamId).output(z.object({ streamKey: z.string() })),
    /** Makes a new stream key. The old one is refused from then on, and an encoder still using it is disconnected. */
    renewKey: call.input(StreamId),
  },
  session: {
    /** The broadcasts of a stream, newest first. */
    list: call
      .input(z.object({ streamId: z.string(), limit: z.int().min(1).max(100).default(20) }))
      .output(z.array(SessionView)),
  },
  broadcast: {
    /** Starts a one-click broadcast and answers once it is under way; `stream.watch` reports the rest. */
    goLive: call.input(z.object({ streamId: z.string(), source: Source, encode: EncodeChoice.default({ kind: 'automatic' }) })),
    /** Returns the settings and the cost of going live like this. Starts nothing. */
    previewEncode: call.input(z.object({ streamId: z.string(), source: Source, encode: EncodeChoice })).output(EncodePreview),
    /** Broadcasts another source from the next keyframe on, in the same session. Answers once it is on air. */
    changeSource: call.input(z.object({ streamId: z.string(), source: Source })),
    /** Ends the stream's broadcast, whether one-click or from another encoder. Answers once it has ended, in under 5 s. */
    stop: call.input(StreamId),
    /** Lets a one-click broadcast that lost its ingest try again now, whether it pauses or waits for an answer. */
    reconnectNow: call.input(StreamId),
    /** Moves a one-click broadcast whose region has failed to this region; REGION_NOT_OFFERED unless it is the one on offer. */
    changeRegion: call.input(z.object({ streamId: z.string(), region: RegionName })),
    /** Accepts the stream's encoder again after *Stop* refused it. */
    letIn: call.input(StreamId),
    /** The owner wants the running broadcast silent: there is no verdict on silence until 10 s of sound have arrived. */
    acceptSilence: call.input(StreamId),
    /** Chooses which renditions of the running broadcast are made, by profile name, for this broadcast only. */
    setRenditions: call.input(z.object({ streamId: z.string(), names: z.array(z.string()).max(100) })),
    /** Dismisses the news that this broadcast was lost. */
    dismissLost: call.input(z.object({ streamId: z.string(), sessionId: z.string() })),
  },
  source: {
    /** The devices of the service's computer, now and whenever one comes, goes or is muted. */
    watchDevices: call.output(eventIterator(DeviceList)),
    /**
     * What a source looks and sounds like, up to ten times a second. Its devices are open while it is watched. Calls with the same
     * `previewId` one after another continue one preview: until a changed source is open, it shows the one before.
     */
    watchPreview: call
      .input(z.object({ source: Source, previewId: PreviewId.optional() }))
      .output(eventIterator(SourcePreview)),
  },
  /** Captures that pages make. A capture id is one of `Source`; its media takes another way than the contract. */
  pageCapture: {
    /** Orders a capture from the pages of a place: the app opens its capture window, in a browser the user opens a tab. */
    order: call.input(z.object({ place: CapturePlace, order: PageCaptureOrder })).output(z.object({ captureId: CaptureId })),
    /** Asks the user again, after a capture has ended or was refused. */
    again: call.input(z.object({ captureId: CaptureId })),
    /** The captures of a place, and those of `holds` that other places make. While this is watched, the captures in `holds` stay open. */
    watch: call
      .input(z.object({ place: CapturePlace, holds: z.array(CaptureId).max(32) }))
      .output(eventIterator(PlaceCaptures)),
    /** For a capture page: the captures to keep open. The newest page of a place does the work. */
    serve: call.input(z.object({ place: CapturePlace, pageId: PageId })).output(eventIterator(CapturePageOrders)),
    /** For a capture page: a ticket for one socket to the service's HTTP port that takes the capture's media, valid for 30 s. */
    open: call
      .input(z.object({ captureId: CaptureId, hasVideo: z.boolean(), hasAudio: z.boolean() }))
      .output(z.object({ ticket: z.string() })),
    /** For a capture page: reports which devices it can open, and how its captures are doing. */
    report: call.input(z.object({ place: CapturePlace, pageId: PageId, report: CapturePageReport })),
  },
  playback: {
    /**
     * What a page's monitor sees: sent about once a second while it plays or should play, and `closed` at the end. Each page
     * makes up its own `pageId`; its newest report counts, for 5 s.
     */
    report: call.input(z.object({ streamId: z.string(), pageId: PageId, report: PlaybackReport })),
  },
  region: {
    /** All regions with their connection times. Those without a good one are measured as long as someone watches. */
    watch: call.output(eventIterator(RegionsView)),
    /** Measures all regions again, in the background. */
    measure: call,
  },
  apiKey: {
    /** All keys, newest first. */
    watchAll: call.output(eventIterator(z.array(ApiKey))),
    /** The secret is returned here and never again. */
    create: call.input(z.object({ name: ApiKeyName })).output(z.object({ apiKey: ApiKey, secret: z.string() })),
    revoke: call.input(z.object({ id: z.string() })),
  },
  remoteService: {
    /** The services on other computers whose streams are shown here, and whether they answer. */
    watchAll: call.output(eventIterator(z.array(RemoteServiceView))),
    /** Checks a service and adds it. Its API key is never returned. */
    add: call.input(NewRemoteService).output(RemoteServiceView),
    /** Another address or key is checked first. An address of another origin needs the key, too. */
    update: call.input(z.object({ serviceId: z.string(), changes: RemoteServiceChanges })).output(RemoteServiceView),
    /** Forgets a service and its key, unless it is on air from here. Its streams stay there. */
    remove: call.input(z.object({ serviceId: z.string() })),
  },
  settings: {
    watch: call.output(eventIterator(Settings)),
    update: call.input(SettingsChanges).output(Settings),
  },
  file: {
    /** Lists a folder of this computer; by default the user's video folder or home. */
    browse: call.input(z.object({ folder: z.string().optional(), of: FileKind.default('video') })).output(FolderListing),
  },
};
