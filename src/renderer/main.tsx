// First, so that the other styles can override it.
import './styles/tokens.css';
import './styles/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { followAlertSettings } from './alerts/alert-settings.ts';
import { App } from './app.tsx';
import { openConnection } from './client/open-connection.ts';
import { stayOnDrops } from './client/stay-on-drops.ts';
import { offersKeys } from './features/settings/offered-keys.ts';
import { isDialogOpen } from './focus/open-dialogs.ts';
import { createLiveStore } from './store/live-store.ts';

// Our Content-Security-Policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

stayOnDrops(window);
followAlertSettings(window);
// A reload would lose what is typed in a dialog, and a new API key that isn't copied.
const wouldLose = () => isDialogOpen() || offersKeys(store);
const connection = openConnection(window, wouldLose);
const store = createLiveStore(connection);
createRoot(root).render(
  <StrictMode>
    <App store={store} wouldLose={wouldLose} />
  </StrictMode>,
);
