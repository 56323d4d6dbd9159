import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect } from 'react';
import { assertNever } from '../shared/assert-never.ts';
import { onNetworkReturn } from './client/network-return.ts';
import { reloadForPolicy } from './client/policy-reload.ts';
import { AnnouncerProvider } from './components/announcer.tsx';
import { ToastProvider } from './components/toasts.tsx';
import { ContactAlerts } from './features/frame/contact-alerts.tsx';
import { FaultBoundary } from './features/frame/fault-boundary.tsx';
import { Frame } from './features/frame/frame.tsx';
import { InterruptionAlerts } from './features/frame/interruption-alerts.tsx';
import { LostAlerts } from './features/frame/lost-alerts.tsx';
import { OnAirSummary } from './features/frame/on-air-summary.tsx';
import { Monitor } from './features/monitor/monitor.tsx';
import { RegionsScreen } from './features/regions/regions-screen.tsx';
import { SettingsScreen } from './features/settings/settings-screen.tsx';
import { ShortcutsDialog } from './features/shortcuts/shortcuts-dialog.tsx';
import { EditStreamDialog } from './features/streams/edit-stream-dialog.tsx';
import { StreamsScreen } from './features/streams/streams-screen.tsx';
import { StudioScreen } from './features/studio/studio-screen.tsx';
import { TallyView } from './features/tally/tally-view.tsx';
import { useKeptFocus } from './hooks/use-kept-focus.ts';
import { useLiveValue } from './hooks/use-live-value.ts';
import { useRemoteServices } from './hooks/use-remote-services.ts';
import { useRoute } from './hooks/use-route.ts';
import { useWakeLock } from './hooks/use-wake-lock.ts';
import { findServiceId, type Route } from './routing/route.ts';
import type { LiveStore } from './store/live-store.ts';
import { StoreProvider, useStore } from './store/store-context.tsx';

interface AppProps {
  store: LiveStore;
  /** Whether a reload of the page would lose something of its user. */
  wouldLose: () => boolean;
}

/** The whole window, over one store. */
export function App({ store, wouldLose }: AppProps) {
  const route = useRoute();
  useKeptFocus();
  return (
    <StoreProvider store={store}>
      <StayAwake />
      <TellNetworkReturn />
      <FollowPolicy wouldLose={wouldLose} />
      <CSPProvider disableStyleElements>
        <Tooltip.Provider delay={500}>
          <AnnouncerProvider>
            <ToastProvider>
              <FaultBoundary>
                <ContactAlerts />
                <InterruptionAlerts />
                <LostAlerts route={route} />
                {/* Alerts continue whatever fails to be shown. */}
                <FaultBoundary>
                  {route.kind === 'tally' ? (
                    <TallyView streamId={route.streamId} serviceId={findServiceId(route)} />
                  ) : (
                    <Frame route={route}>
                      <FaultBoundary>
                        <Screen route={route} />
                      </FaultBoundary>
                    </Frame>
                  )}
                </FaultBoundary>
                <ShortcutsDialog />
              </FaultBoundary>
            </ToastProvider>
          </AnnouncerProvider>
        </Tooltip.Provider>
      </CSPProvider>
    </StoreProvider>
  );
}

function Screen({ route }: { route: Exclude<Route, { kind: 'tally' }> }) {
  if (route.kind === 'studio') {
    return (
      <StudioScreen
        streamId={route.streamId}
        renderMonitor={(slot) => <Monitor {...slot} />}
        renderEdit={(stream, onClose) => <EditStreamDialog stream={stream} onClose={onClose} />}
      />
    );
  }
  return (
    <>
      <OnAirSummary serviceId={findServiceId(route)} />
      <OtherScreen route={route} />
    </>
  );
}

function OtherScreen({ route }: { route: Exclude<Route, { kind: 'studio' | 'tally' }> }) {
  switch (route.kind) {
    case 'streams':
    case 'new-stream':
    case 'edit-stream':
      return <StreamsScreen route={route} />;
    case 'regions':
      return <RegionsScreen />;
    case 'settings':
      return <SettingsScreen />;
    default:
      return assertNever(route);
  }
}

/** Tells the service when this computer is online again: broadcasts that wait to reconnect do so at once. */
function TellNetworkReturn() {
  const { connection } = useStore();
  useEffect(
    () =>
      onNetworkReturn(window, () => {
        // Without contact there is nobody to tell, and the service checks by itself.
        connection.client.service.networkReturned().catch(() => {});
      }),
    [connection],
  );
  return null;
}

/** Reloads the page if it may play a remote service or a region that was added since it was loaded. */
function FollowPolicy({ wouldLose }: Pick<AppProps, 'wouldLose'>) {
  const services = useRemoteServices();
  const own = useLiveValue(useStore().service);
  useEffect(() => {
    const regions = own.kind === 'known' ? own.value.regionOrigins : [];
    const known = new Set([...regions, ...services.flatMap(({ mediaOrigins }) => mediaOrigins)]);
    return reloadForPolicy(window, (origin) => known.has(origin), wouldLose);
  }, [own, services, wouldLose]);
  return null;
}

/** Keeps the device that shows this page awake while a stream is on air, as far as browsers allow. */
function StayAwake() {
  const streams = useLiveValue(useStore().streams);
  useWakeLock(streams.kind === 'known' && streams.value.some(({ air }) => air.kind !== 'off-air'));
  return null;
}
