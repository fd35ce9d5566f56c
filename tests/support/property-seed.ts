import fc from 'fast-check';

/**
 * Property tests draw the same cases on each run, so that a change alone decides whether they pass. FC_SEED draws
 * others.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FC_SEED ?? 1) });
