import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect } from 'react';
import { onNetworkReturn } from './client/network-return.ts';
import { AnnouncerProvider } from './components/announcer.tsx';
import { ToastProvider } from './components/toasts.tsx';
import { Frame } from './features/frame/frame.tsx';
import { LostAlerts } from './features/frame/lost-alerts.tsx';
import { OnAirSummary } from './features/frame/on-air-summary.tsx';
import { Monitor } from './features/monitor/monitor.tsx';
import { SettingsScreen } from './features/settings/settings-screen.tsx';
import { ShortcutsDialog } from './features/shortcuts/shortcuts-dialog.tsx';
import { StreamsScreen } from './features/streams/streams-screen.tsx';
import { StudioScreen } from './features/studio/studio-screen.tsx';
import { TallyView } from './features/tally/tally-view.tsx';
import { useLiveValue } from './hooks/use-live-value.ts';
import { useRoute } from './hooks/use-route.ts';
import { useWakeLock } from './hooks/use-wake-lock.ts';
import type { Route } from './routing/route.ts';
import type { LiveStore } from './store/live-store.ts';
import { StoreProvider, useStore } from './store/store-context.tsx';

/** The whole window, over one store. */
export function App({ store }: { store: LiveStore }) {
  const route = useRoute();
  return (
    <StoreProvider store={store}>
      <StayAwake />
      <TellNetworkReturn />
      <CSPProvider disableStyleElements>
        <Tooltip.Provider delay={500}>
          <AnnouncerProvider>
            <ToastProvider>
              <LostAlerts route={route} />
              {route.kind === 'tally' ? (
                <TallyView streamId={route.streamId} />
              ) : (
                <Frame route={route}>
                  <Place route={route} />
                </Frame>
              )}
              <ShortcutsDialog />
            </ToastProvider>
          </AnnouncerProvider>
        </Tooltip.Provider>
      </CSPProvider>
    </StoreProvider>
  );
}

function Place({ route }: { route: Route }) {
  if (route.kind === 'studio') {
    return <StudioScreen streamId={route.streamId} renderMonitor={(slot) => <Monitor {...slot} />} />;
  }
  return (
    <>
      <OnAirSummary />
      {route.kind === 'settings' ? <SettingsScreen /> : <StreamsScreen route={route} />}
    </>
  );
}

/** Tells the service when this computer is online again: broadcasts that wait to reconnect do so at once. */
function TellNetworkReturn() {
  const { connection } = useStore();
  useEffect(
    () =>
      onNetworkReturn(window, () => {
        // Without contact there is nobody to tell, and the service looks itself.
        connection.client.service.networkReturned().catch(() => {});
      }),
    [connection],
  );
  return null;
}

/** Keeps the device that shows this page awake while a stream is on air, as far as browsers allow. */
function StayAwake() {
  const streams = useLiveValue(useStore().streams);
  useWakeLock(streams.kind === 'known' && streams.value.some(({ air }) => air.kind !== 'off-air'));
  return null;
}
