import type { ServiceInfo } from '../../../shared/model/views.ts';
import { describeMissingFfmpeg, nameMissingFfmpeg } from '../../../shared/words/ffmpeg-words.ts';
import { isDesktopPage } from '../../client/is-desktop-page.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import { describeAwake } from '../../status/awake-words.ts';
import { describeCertificate } from './certificate-words.ts';
import styles from './service-facts.module.css';
import { SettingsGroup } from './settings-group.tsx';

const foundBy = {
  TALLYLIGHT_FFMPEG: 'set by TALLYLIGHT_FFMPEG',
  'ffmpeg-static': 'installed with Tallylight',
  PATH: 'found on PATH',
  'usual-folder': 'found where it is usually installed',
} as const;

const keptIn = {
  os: "Encrypted, with the key in this system's keychain",
  file: 'Encrypted, with the key in a file. Anyone who can read that file can read them.',
  memory: 'Encrypted with a key in memory. Stream keys change when Tallylight restarts.',
} as const;

/** About this installation: its data folder, where its secrets are kept, and which ffmpeg it uses. */
export function ServiceFacts({ info }: { info: ServiceInfo }) {
  const sleep = describeAwake({ isDesktop: isDesktopPage(window), canHoldScreen: 'wakeLock' in navigator });
  return (
    <SettingsGroup title="This installation" about={`Tallylight ${info.version}`}>
      <CopyField label="Data folder" shown={info.dataFolder} />
      <CopyField label="API base URL" shown={info.apiBaseUrl} />
      {info.localApiBaseUrl === info.apiBaseUrl ? null : (
        <CopyField label="API base URL on this computer" shown={info.localApiBaseUrl} />
      )}
      <dl className={styles.facts}>
        <div>
          <dt>ffmpeg</dt>
          <dd>
            {info.ffmpeg.kind === 'found' ? (
              <>
                <span className={styles.state}>
                  <SeverityIcon severity="good" size={16} /> {info.ffmpeg.version}, {foundBy[info.ffmpeg.from]}
                </span>
                <code className={styles.path}>{info.ffmpeg.path}</code>
              </>
            ) : (
              <Notice severity="warn" title={nameMissingFfmpeg(info.ffmpeg.reason)}>
                {describeMissingFfmpeg(info.ffmpeg.reason)}
              </Notice>
            )}
          </dd>
        </div>
        <div>
          <dt>Secrets</dt>
          <dd>
            <span className={styles.state}>
              <SeverityIcon severity={info.secrets === 'memory' ? 'warn' : 'good'} size={16} /> {keptIn[info.secrets]}
            </span>
          </dd>
        </div>
        <div>
          <dt>Encryption</dt>
          <dd>
            {info.tls === undefined ? (
              'Off. HTTPS and RTMPS need a TLS certificate and its key.'
            ) : (
              <>
                <span className={styles.state}>
                  <Certificate expiresAt={info.tls.expiresAt} />
                </span>
                <code className={styles.path}>{info.tls.certificatePath}</code>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Sleep</dt>
          <dd>
            {sleep.isKeptAwake ? (
              <span className={styles.state}>
                <SeverityIcon severity="good" size={16} /> {sleep.sentence}
              </span>
            ) : (
              sleep.sentence
            )}
          </dd>
        </div>
      </dl>
    </SettingsGroup>
  );
}

function Certificate({ expiresAt }: { expiresAt: number }) {
  const { severity, text } = describeCertificate(expiresAt, useServiceNow(60_000));
  return (
    <>
      <SeverityIcon severity={severity} size={16} /> {text}
    </>
  );
}
