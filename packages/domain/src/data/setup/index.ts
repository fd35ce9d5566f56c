export { setUpCore, type Company, type CoreSetup, type SetUpDataset } from './setup';
