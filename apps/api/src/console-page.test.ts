import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import express from 'express';
import supertest from 'supertest';
import { consolePage } from './console-page';

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-console-'));
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  fs.writeFileSync(path.join(folder, 'main-ABCDEFGH.js'), 'export {};');
  fs.writeFileSync(path.join(folder, 'main-ABCDEFGH.js.map'), '{}');
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

const served = (from = folder) => supertest(express().use(consolePage(from)));

test.each(['/app', '/app/', '/app/reconciliations/1/workbench?side=left'])('%s answers the page', async (at) => {
  const { headers, text } = await served().get(at).expect(200);
  expect(text).toBe('<!doctype html>');
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
});

test('the policy of the page lets everything come from this service alone, without exceptions', async () => {
  const { headers } = await served().get('/app').expect(200);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
});

test('a file that is named by its content is kept for good', async () => {
  const { headers } = await served().get('/app/main-ABCDEFGH.js').expect(200);
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
  });
});

test.each(['/app/gone-ABCDEFGH.js', '/app/gone-ABCDEFGH.css'])('%s of another build is not the page', async (at) => {
  await served().get(at).expect(404);
});

test('sources are not served', async () => {
  const { text } = await served().get('/app/main-ABCDEFGH.js.map');
  expect(text).not.toBe('{}');
});

test('without a build there is no console', async () => {
  await served(path.join(folder, 'none')).get('/app').expect(404);
});
