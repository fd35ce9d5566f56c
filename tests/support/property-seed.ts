import fc from 'fast-check';

/**
 * Property tests draw the same cases on each run, so that only a code change decides the result. FC_SEED draws others.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FC_SEED ?? 1) });
