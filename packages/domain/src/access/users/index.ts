export * from './users';
export * from './sign-in';
export { readOwnAccess, type OwnAccess } from './own-access';
