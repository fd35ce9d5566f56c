import { Type } from '@sinclair/typebox';
import {
  acceptInvitation,
  createUser,
  deleteUser,
  getUser,
  inviteUser,
  listUsers,
  roles,
  updateUser,
  type InvitedUser,
} from '@tieout/domain';
import {
  alsoSuspended,
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  placesOf,
  presentPage,
  publicAccess,
  reply,
  tenantAccess,
  textEnum,
  type Route,
} from '../../http';
import { replySignedIn, signInAnswer } from '../sessions/schemas';
import {
  acceptBody,
  createUserBody,
  invitedUserSchema,
  presentInvitation,
  presentUser,
  updateUserBody,
  userSchema,
} from './schemas';

const tag = 'Users';

const presentInvited = ({ user, invitation }: InvitedUser, origin: string) => ({
  ...presentUser(user),
  invitation: presentInvitation(invitation, origin),
});

const create = defineRoute({
  method: 'post',
  path: '/v1/users',
  operationId: 'createUser',
  tag,
  summary: 'Invite a person',
  description:
    'Send the person invitation.url: it is shown once, and nothing is mailed. No caller gives a role that may do ' +
    'more than itself, and no key does that expires or works from some addresses only.',
  access: tenantAccess('users:write', 'none'),
  body: createUserBody,
  idempotent: true,
  secretAnswer: true,
  responses: { 201: { description: 'The user, with the invitation', schema: invitedUserSchema } },
  handler: async ({ scope, body, sender }) =>
    reply(201, presentInvited(await createUser(scope, body), sender().origin)),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/users',
  operationId: 'listUsers',
  tag,
  summary: 'List users, newest first',
  access: tenantAccess('users:read', 'none'),
  query: closed({
    role: Type.Optional(textEnum(roles)),
    active: Type.Optional(Type.Boolean()),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of users', schema: pageOf(userSchema) } },
  handler: async ({ scope, query }) => {
    const { role, active } = query;
    return reply(200, presentPage(await listUsers(scope, { role, active }, pageRequest(query)), presentUser));
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/users/:id',
  operationId: 'getUser',
  tag,
  summary: 'Read a user',
  access: tenantAccess('users:read', 'none'),
  params: { id: 'user' },
  responses: { 200: { description: 'The user', schema: userSchema } },
  handler: async ({ scope, params }) => reply(200, presentUser(await getUser(scope, params.id))),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/users/:id',
  operationId: 'updateUser',
  tag,
  summary: 'Rename a user, change the role, or take or give back the access',
  description:
    'A role holds for running sessions at once; with active false they end at once. Nobody changes their own role or ' +
    'activity (409), nor those of a user who may do more (403).',
  access: alsoSuspended(tenantAccess('users:write', 'none')),
  params: { id: 'user' },
  body: updateUserBody,
  responses: { 200: { description: 'The user', schema: userSchema } },
  handler: async ({ scope, params, body }) => reply(200, presentUser(await updateUser(scope, params.id, body))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/users/:id',
  operationId: 'deleteUser',
  tag,
  summary: 'Delete a user',
  description: 'The sessions of the user end at once; the audit keeps what the user did.',
  access: alsoSuspended(tenantAccess('users:write', 'none')),
  params: { id: 'user' },
  responses: { 204: { description: 'The user is deleted' } },
  handler: async ({ scope, params }) => {
    await deleteUser(scope, params.id);
    return reply(204);
  },
});

const invite = defineRoute({
  method: 'post',
  path: '/v1/users/:id/invitation',
  operationId: 'inviteUser',
  tag,
  summary: 'Invite a user again, such as one who forgot the password',
  description: 'An earlier invitation is void. Password and sessions stay until this one is accepted.',
  access: tenantAccess('users:write', 'none'),
  params: { id: 'user' },
  idempotent: true,
  secretAnswer: true,
  responses: { 201: { description: 'The user, with the invitation', schema: invitedUserSchema } },
  handler: async ({ scope, params, sender }) =>
    reply(201, presentInvited(await inviteUser(scope, params.id), sender().origin)),
});

const accept = defineRoute({
  method: 'post',
  path: '/v1/users/accept',
  operationId: 'acceptInvitation',
  tag,
  summary: 'Accept an invitation: set the password and sign in',
  description:
    'It can be accepted once. A password has 12 to 256 characters, 5 of them different; it is not made of the email, ' +
    'and not one that is guessed first. Other sessions of the user end.',
  access: publicAccess(),
  body: acceptBody,
  responses: signInAnswer,
  handler: async ({ body, sender, deps, requestId }) => {
    const from = sender();
    const signedIn = await from.attempt(null, () =>
      acceptInvitation(placesOf(deps), body, { client: from, requestId }),
    );
    return replySignedIn(signedIn, from.host);
  },
});

export const userRoutes: readonly Route[] = [create, list, accept, get, update, remove, invite];
