import { Link } from '@tanstack/react-router';
import { allows, useSession } from '../../api/session';
import { useAddress } from '../../parts/address';
import { PageHead } from '../../parts/frame';
import { useText } from '../../text';
import { Account } from './account';
import { Connections } from './connections';
import { Keys } from './keys';
import { Reasons } from './reasons';
import { Usage } from './usage';
import { Users } from './users';
import { Webhooks } from './webhooks';

const parts = {
  account: { Part: Account, scope: '' },
  users: { Part: Users, scope: 'users:read' },
  keys: { Part: Keys, scope: 'keys:read' },
  webhooks: { Part: Webhooks, scope: 'webhooks:read' },
  connections: { Part: Connections, scope: 'items:read' },
  usage: { Part: Usage, scope: 'billing:read' },
  reasons: { Part: Reasons, scope: 'reconciliations:read' },
} as const;
type PartName = keyof typeof parts;

const names = Object.keys(parts) as PartName[];

export default function Settings() {
  const { settings } = useText();
  const { search } = useAddress();
  const { me } = useSession();
  const chosen =
    names.find((name) => name === search.part) ??
    names.find((name) => name !== 'account' && allows(me, parts[name].scope));
  const name = chosen ?? 'account';
  const { Part } = parts[name];
  return (
    <>
      <PageHead name={settings.title} title={settings.title} />
      <nav className="segments" aria-label={settings.title}>
        {names.map((one) => (
          <Link key={one} to="." search={{ part: one }} aria-current={one === name ? 'page' : undefined}>
            {settings.parts[one]}
          </Link>
        ))}
      </nav>
      <Part key={name} />
    </>
  );
}
