import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router, type Request, type Response } from 'express';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const pageName = 'index.html';
const hashedName = /^[\w-]+-[A-Z0-9]{8}\.(css|js)$/;

interface ConsoleFile {
  type: string;
  plain: Buffer;
  zipped: Buffer;
}

/**
 * Serves the console from the files that its build has written. Every address below /app that names no file is one of
 * its screens, so it answers the page.
 *
 * @param folder of the built files
 */
export function consolePage(folder = path.resolve(__dirname, '../../console/dist')): Router {
  let files: ReadonlyMap<string, ConsoleFile> | undefined;
  const send = (name: string, request: Request, response: Response): boolean => {
    files ??= readFiles(folder);
    const file = files.get(name);
    if (file === undefined) return false;
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = isZipped ? file.zipped : file.plain;
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', file.type);
    response.setHeader('Cache-Control', name === pageName ? 'no-cache' : 'public, max-age=31536000, immutable');
    response.setHeader('Vary', 'Accept-Encoding');
    if (isZipped) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
  const router = Router({ strict: true, caseSensitive: true });
  router.get(['/app', '/app/', '/app/*rest'], (request, response, next) => {
    const name = request.path.slice('/app/'.length);
    // A file that is gone must not be answered by the page: a browser would run it as a script.
    if (!send(hashedName.test(name) ? name : pageName, request, response)) next();
  });
  return router;
}

/** The files of the last build, none where there is no build. They are held as sent: together less than 2 MB. */
function readFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[path.extname(name)];
      if (type === undefined) return [];
      const plain = readFileSync(path.join(folder, name));
      return [[name, { type, plain, zipped: gzipSync(plain) }] as const];
    }),
  );
}
