import { generateKeyPairSync, randomUUID } from 'node:crypto';
import forge from 'node-forge';

export interface CertificateOptions {
  names?: readonly string[];
  addresses?: readonly string[];
  /** Valid until yesterday. */
  expired?: boolean;
  /** Signed by its own key instead of the authority's. */
  selfSigned?: boolean;
}

/** Key and certificate of a TLS server, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A private certificate authority. */
export interface TestAuthority {
  /** Its certificate, in PEM. */
  ca: string;
  issue(options: CertificateOptions): Certificate;
}

const dayMs = 86_400_000;
const dnsName = 2;
const ipAddress = 7;

const nameOf = (commonName: string): forge.pki.CertificateField[] => [{ name: 'commonName', value: commonName }];

/** Takes the time of making one RSA key, which then serves the authority and all that it certifies. */
export function createTestAuthority(): TestAuthority {
  const key = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(key.privateKey);
  const publicKey = forge.pki.publicKeyFromPem(key.publicKey);
  let serial = 0;
  const sign = (subject: string, issuer: string, untilMs: number, extensions: object[]): string => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = publicKey;
    certificate.serialNumber = (++serial).toString(16).padStart(4, '0');
    certificate.validity.notBefore = new Date(Date.now() - 10 * dayMs);
    certificate.validity.notAfter = new Date(untilMs);
    certificate.setSubject(nameOf(subject));
    certificate.setIssuer(nameOf(issuer));
    certificate.setExtensions(extensions);
    certificate.sign(privateKey, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  const authorityName = `Authority ${randomUUID()}`;
  const ca = sign(authorityName, authorityName, Date.now() + 10 * dayMs, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ]);
  return {
    ca,
    issue: ({ names = [], addresses = [], expired = false, selfSigned = false }) => {
      const subject = names[0] ?? addresses[0] ?? 'nobody';
      const altNames = [
        ...names.map((value) => ({ type: dnsName, value })),
        ...addresses.map((ip) => ({ type: ipAddress, ip })),
      ];
      const cert = sign(subject, selfSigned ? subject : authorityName, Date.now() + (expired ? -dayMs : 10 * dayMs), [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames },
      ]);
      return { key: key.privateKey, cert };
    },
  };
}
