#!/usr/bin/env -S node --max-semi-space-size=64
import { createRequire } from 'node:module';

// An import would search the whole program for the names that it exports.
createRequire(import.meta.url)('../dist/bundle/main.js');
