export { startTestApi, type KeyedApi, type TestApi, type TestApiOptions, type TestTenant } from './test-api';
