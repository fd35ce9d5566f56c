import type createSync = require('./jsonata-sync');

/** jsonata as it is, `evaluate` giving a promise, within bounds. */
declare function createJsonata(bounds: createSync.Bounds): createSync.Jsonata;

export = createJsonata;
