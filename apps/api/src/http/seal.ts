import { hkdfSync } from 'node:crypto';
import { openText, sealText } from '@tieout/infra';

const keyFrom = (credential: string): Buffer =>
  Buffer.from(hkdfSync('sha256', credential, '', 'tieout stored answer', 32));

const nothing = Buffer.alloc(0);

/** Encrypts a text under a credential, without which it cannot be decrypted (AES-256-GCM, key by HKDF). */
export const seal = (text: string, credential: string): string =>
  sealText(keyFrom(credential), text, nothing).toString('base64');

/** Decrypts what `seal` made. @throws Error when the credential is another one or the text was changed */
export const unseal = (sealed: string, credential: string): string =>
  openText(keyFrom(credential), Buffer.from(sealed, 'base64'), nothing);
