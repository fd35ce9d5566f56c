import { activity } from './activity';
import { agentProposals } from './agent-proposals';
import { close } from './close';
import { composites } from './composites';
import { exceptions } from './exceptions';
import { frame } from './frame';
import { groups } from './groups';
import { importing } from './import';
import type { Messages } from './messages';
import { overview } from './overview';
import { rules } from './rules';
import { runs } from './runs';
import { settings } from './settings';
import { signIn } from './sign-in';
import { suggestions } from './suggestions';
import { warned } from './warned';
import { workbench } from './workbench';

const areas = {
  activity,
  agentProposals,
  close,
  composites,
  exceptions,
  frame,
  groups,
  importing,
  overview,
  rules,
  runs,
  settings,
  signIn,
  suggestions,
  warned,
  workbench,
};

type TextOf<A> = A extends Messages<infer M> ? M : never;

/** All texts of one language. */
export type Texts = { [K in keyof typeof areas]: TextOf<(typeof areas)[K]> };

export const languages = ['en', 'pt'] as const;
export type Language = (typeof languages)[number];

/** Every text of the console, by language. */
export const catalog = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.fromEntries(Object.entries(areas).map(([name, area]) => [name, area[language]])),
  ]),
) as unknown as Record<Language, Texts>;
