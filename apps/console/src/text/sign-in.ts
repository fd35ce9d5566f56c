import { messages } from './messages';

export const signIn = messages(
  {
    title: 'Sign in',
    ended: 'Your session has ended',
    endedHint: 'Sign in again to go on. What you have typed is kept.',
    email: 'Email',
    password: 'Password',
    apiKey: 'API key',
    tenant: 'Company',
    withKey: 'Sign in with an API key',
    withPassword: 'Sign in with email and password',
    submit: 'Sign in',
    wrong: 'Email or password is wrong.',
    wrongKey: 'The key is not known.',
  },
  {
    title: 'Entrar',
    ended: 'Sua sessão terminou',
    endedHint: 'Entre de novo para continuar. O que você digitou foi mantido.',
    email: 'E-mail',
    password: 'Senha',
    apiKey: 'Chave de API',
    tenant: 'Empresa',
    withKey: 'Entrar com uma chave de API',
    withPassword: 'Entrar com e-mail e senha',
    submit: 'Entrar',
    wrong: 'E-mail ou senha incorretos.',
    wrongKey: 'A chave não é conhecida.',
  },
);
