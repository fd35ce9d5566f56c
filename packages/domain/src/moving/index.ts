export { forgetMove, readPlaces, writePlace, type TenantPlace } from './directory';
export { abortMove, moveTenant, previewMove, type MoveOptions, type MoveStep } from './move';
