import { Globe, MapPin, Plus, Radio, Settings as SettingsIcon, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import unseenStyles from '../../components/unseen.module.css';
import { coarseAgeStepMs, formatShortAge } from '../../format/age.ts';
import { findInitial } from '../../format/initial.ts';
import { useAirSummary } from '../../hooks/use-air-summary.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useRemoteServices } from '../../hooks/use-remote-services.ts';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import { useStreamsAround } from '../../hooks/use-service-streams.ts';
import { findServiceId, formatRoute, inService, listOf, type Route } from '../../routing/route.ts';
import { type AirStatus, describeAir, noContact } from '../../status/air-status.ts';
import { toneOf } from '../../status/summarize-air.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './rail.module.css';

/** How many streams the rail shows; the rest are in the list. */
const railStreams = 12;

/** Links to every screen, with each stream's state. */
export function Rail({ route }: { route: Route }) {
  const store = useStore();
  const serviceId = findServiceId(route);
  const { streams: all } = useStreamsAround(serviceId);
  const remote = useRemoteServices().find(({ id }) => id === serviceId);
  const service = useLiveValue(store.service);
  const isLost = useIsContactLost(store.streams);
  const now = useServiceNow(coarseAgeStepMs);
  const openId = route.kind === 'studio' ? route.streamId : undefined;
  const shown = pickForRail(all, openId);
  const rail = useRef<HTMLElement>(null);
  const isOpenShown = shown.some(({ id }) => id === openId);
  useEffect(() => {
    if (openId === undefined || !isOpenShown) return;
    // If the rail scrolls, the opened stream may be out of sight.
    rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isOpenShown, openId]);
  const lamp = toneOf(useAirSummary(serviceId));

  return (
    <nav ref={rail} className={styles.rail} aria-label="Screens">
      <div className={styles.brand}>
        <span className={styles.lamp} data-tone={lamp} aria-hidden />
        <span className={styles.name}>Tallylight</span>
      </div>
      <RailLink to={listOf(route)} isCurrent={isStreamsScreen(route)} icon={<Radio aria-hidden />} label="Streams" />
      <ul className={styles.streams} aria-label="Your streams">
        {shown.map((stream) => (
          <li key={stream.id}>
            <StreamLink
              stream={stream}
              status={isLost ? noContact : describeAir(stream)}
              isCurrent={stream.id === openId}
              now={now}
            />
          </li>
        ))}
      </ul>
      {all.length > shown.length ? (
        <a className={styles.more} href={formatRoute(listOf(route))}>
          {`${all.length - shown.length} more`}
        </a>
      ) : null}
      <RailLink to={inService('new-stream', serviceId)} isCurrent={false} icon={<Plus aria-hidden />} label="New stream" />
      <div className={styles.foot}>
        {service.kind === 'known' ? (
          <p className={styles.region} title={remote?.name ?? 'This computer'}>
            <Globe aria-hidden />
            <span className={styles.words} dir="auto">
              {remote?.name ?? 'This computer'}
            </span>
          </p>
        ) : null}
        <RailLink to={{ kind: 'regions' }} isCurrent={route.kind === 'regions'} icon={<MapPin aria-hidden />} label="Regions" />
        <RailLink
          to={{ kind: 'settings' }}
          isCurrent={route.kind === 'settings'}
          icon={<SettingsIcon aria-hidden />}
          label="Settings"
        />
      </div>
    </nav>
  );
}

function isStreamsScreen(route: Route): boolean {
  return route.kind === 'streams' || route.kind === 'new-stream' || route.kind === 'edit-stream';
}

/** Always includes streams on air and the open one. */
function pickForRail(streams: readonly StreamView[], openId: string | undefined): StreamView[] {
  if (streams.length <= railStreams) return [...streams];
  const isPinned = (stream: StreamView) => stream.air.kind !== 'off-air' || stream.id === openId;
  const rest = Math.max(0, railStreams - streams.filter(isPinned).length);
  let taken = 0;
  return streams.filter((stream) => isPinned(stream) || taken++ < rest);
}

interface RailLinkProps {
  to: Route;
  isCurrent: boolean;
  icon: React.ReactNode;
  label: string;
}

function RailLink({ to, isCurrent, icon, label }: RailLinkProps) {
  return (
    <a
      className={styles.link}
      href={formatRoute(to)}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={label}
      title={label}
    >
      {icon}
      <span className={styles.words}>{label}</span>
    </a>
  );
}

interface StreamLinkProps {
  stream: StreamView;
  status: AirStatus;
  isCurrent: boolean;
  now: number;
}

function StreamLink({ stream, status, isCurrent, now }: StreamLinkProps) {
  const isUnheard = status.kind === 'unknown';
  // The old state keeps its space, invisible, so that the names below don't move.
  const note = describeInRail(stream, isUnheard ? describeAir({ ...stream, isUnheard: false }) : status, now);
  return (
    <a
      className={styles.link}
      href={formatRoute({ kind: 'studio', streamId: stream.id })}
      aria-current={isCurrent ? 'page' : undefined}
      title={`${isolateName(stream.name)} · ${status.word}${status.isWarned ? ', in trouble' : ''}`}
    >
      <span className={styles.dot} data-tone={status.tone} data-warned={status.isWarned} aria-hidden />
      <span className={styles.initial} aria-hidden>
        {findInitial(stream.name)}
      </span>
      <span className={unseenStyles.unseen}>
        {`${stream.name} ${(isUnheard ? status.word : note) ?? ''}${status.isWarned ? ', in trouble' : ''}`}
      </span>
      <span className={styles.text} aria-hidden>
        <span className={styles.words} dir="auto">
          {stream.name}
        </span>
        <small className={styles.note} data-tone={status.tone} data-unheard={isUnheard || undefined}>
          <span>{note}</span>
          {status.isWarned ? <TriangleAlert /> : null}
        </small>
      </span>
    </a>
  );
}

/** The stream's state in one word; off air, when it was last on. */
function describeInRail({ lastSeen }: StreamView, status: AirStatus, now: number): string | undefined {
  switch (status.kind) {
    case 'lost':
      return 'Lost';
    case 'off-air':
      // The name needs the room more.
      return lastSeen === 0 ? undefined : formatShortAge(lastSeen, now);
    default:
      return status.word;
  }
}
