import { isTestCode, mayReadEnvironment, ownWorkspace, targetOf, workspaceOf, type Target } from './layout';
import type { ModuleReference, ParsedFile } from './parse';

export interface Violation {
  rule: string;
  /** file:line */
  where: string;
  message: string;
}

/** Looks at one reference at a time. */
interface ReferenceRule {
  rule: string;
  check: (file: string, target: Target, reference: ModuleReference) => string | undefined;
}

/** Our packages that production code of a workspace may import. */
function allowedPackages(workspace: string): readonly string[] {
  if (workspace === 'packages/formats') return ['packages/engine'];
  if (workspace === 'packages/cli') return ['packages/client', 'packages/engine', 'packages/formats'];
  // The console is a client of the API, as any other. It writes CSV and finds near names by the rules of the service.
  if (workspace === 'apps/console') return ['packages/client', 'packages/engine', 'packages/formats'];
  // So is the server for agents, with the settings, the log and the shutdown of every process.
  if (workspace === 'apps/mcp') return ['packages/client', 'packages/infra'];
  if (workspace === 'packages/domain') return ['packages/engine', 'packages/formats', 'packages/infra'];
  if (workspace.startsWith('apps/')) return ['packages/domain', 'packages/infra'];
  if (workspace === 'packages/testing') return ['packages/domain', 'packages/infra'];
  return [];
}

/** The only files that may import certain packages of others: replacing such a package then touches one place. */
const homes: { packages: RegExp; home: RegExp; where: string }[] = [
  {
    packages: /^(@prisma\/.+|prisma)$/,
    home: /^(packages\/(infra|domain)\/|scripts\/|prisma\.config\.ts$)/,
    where: 'packages/infra and packages/domain',
  },
  {
    packages: /^bullmq$/,
    home: /^(packages\/infra\/src\/queue|apps\/dashboard|scripts)\//,
    where: 'packages/infra/src/queue and apps/dashboard',
  },
  {
    packages: /^jsonata$/,
    home: /^packages\/engine\/(src\/expression|fuzz)\//,
    where: 'packages/engine/src/expression',
  },
  { packages: /^(iconv-lite|saxes|yauzl|yazl)$/, home: /^packages\/formats\//, where: 'packages/formats' },
  {
    packages: /^axios$/,
    home: /^(packages\/infra\/src\/outbound|scripts|bench|tests)\//,
    where: 'packages/infra/src/outbound',
  },
  { packages: /^prom-client$/, home: /^packages\/infra\/src\/metrics\//, where: 'packages/infra/src/metrics' },
  { packages: /^@modelcontextprotocol\//, home: /^apps\/mcp\//, where: 'apps/mcp' },
  { packages: /^express$/, home: /^apps\/(api|dashboard)\//, where: 'apps/api and apps/dashboard' },
  { packages: /^(react|react-dom)$|^@tanstack\//, home: /^apps\/console\//, where: 'apps/console' },
];

const domainSource = 'packages/domain/src/';

/** Groups whose folders or files are features of their own. */
const groupsOfFeatures = new Set(['access', 'billing', 'data', 'feeds', 'results', 'rules']);

/** The feature that a path of packages/domain/src belongs to, and the rest of the path inside it. */
function featureOf(path: string): { name: string; inner: string } | undefined {
  if (!path.startsWith(domainSource)) return undefined;
  const [group = '', ...rest] = path.slice(domainSource.length).split('/');
  const depth = groupsOfFeatures.has(group) ? 1 : 0;
  return { name: [group, ...rest.slice(0, depth)].join('/'), inner: rest.slice(depth).join('/') };
}

/**
 * Folders of a source tree, lowest first: files import from their own folder and lower ones; imports of types count.
 */
const folderOrders: { root: string; folders: readonly string[] }[] = [
  {
    root: 'packages/engine/src/',
    folders: [
      'values',
      'definition',
      'expression',
      'blocking',
      'candidates',
      'scoring',
      'assignment',
      'pairs',
      'composition',
      'rule-set',
    ],
  },
  {
    root: 'packages/infra/src/',
    folders: [
      'generated',
      'kernel',
      'concurrency',
      'json',
      'metrics',
      'db',
      'fairness',
      'http-server',
      'process',
      'queue',
      'outbound',
      'storage',
    ],
  },
  {
    root: 'apps/console/src/',
    folders: ['style', 'text', 'api', 'parts', 'screens'],
  },
  {
    root: domainSource,
    folders: [
      'kernel',
      'events',
      'audit',
      'access',
      'data',
      'rules',
      'results',
      'billing/ledger',
      'reconciliations',
      'matching/jobs',
      'matching/stage',
      'matching/composition',
      'matching/plan',
      'matching/batch',
      'matching/finish',
      'matching/trial',
      'matching',
      'inquiries',
      'suggestions',
      'simulations',
      'agents',
      'feeds',
      'webhooks',
      'removal',
      'moving',
      'billing/usage',
      'operations',
    ],
  },
];

function checkFolderOrder(file: string, targetPath: string): string | undefined {
  const order = folderOrders.find(({ root }) => file.startsWith(root) && `${targetPath}/`.startsWith(root));
  if (order === undefined) return undefined;
  const { root, folders } = order;
  const rankOf = (path: string): number => {
    const inner = path.slice(root.length).replace(/\.tsx?$/, '');
    const rank = folders.findIndex((folder) => inner === folder || inner.startsWith(`${folder}/`));
    return rank === -1 ? Infinity : rank;
  };
  const [from, to] = [rankOf(file), rankOf(targetPath)];
  if (to <= from) return undefined;
  return `${folders[from]} must not import ${folders[to] ?? 'files outside of folders'}, which stands above it`;
}

/** Holds all code that depends on the driver of the database. */
const database = 'packages/infra/src/db/';

const referenceRules: ReferenceRule[] = [
  {
    rule: 'layers',
    check: (file, target) => {
      const workspace = workspaceOf(file);
      if (target.kind === 'file') {
        const other = workspaceOf(target.path);
        const leaves = workspace !== '.' && other !== workspace;
        const mayLeave = isTestCode(file) && (other === '.' || isTestCode(`${target.path}/index.ts`));
        return leaves && !mayLeave ? `leaves ${workspace} by a relative path` : undefined;
      }
      const own = target.kind === 'package' ? ownWorkspace(target.name) : undefined;
      if (own === undefined || workspace === '.' || isTestCode(file)) return undefined;
      if (own === 'packages/testing') return undefined;
      return allowedPackages(workspace).includes(own) ? undefined : `${workspace} must not import ${own}`;
    },
  },
  {
    rule: 'package index',
    check: (_file, target) =>
      target.kind === 'package' && ownWorkspace(target.name) !== undefined && target.subpath !== ''
        ? `${target.name} is imported through its index only`
        : undefined,
  },
  {
    rule: 'test tools',
    check: (file, target) =>
      target.kind === 'package' && ownWorkspace(target.name) === 'packages/testing' && !isTestCode(file)
        ? 'packages/testing is imported by tests only'
        : undefined,
  },
  {
    rule: 'feature index',
    check: (file, target) => {
      const from = featureOf(file);
      if (target.kind !== 'file' || from === undefined || from.inner === '' || isTestCode(file)) return undefined;
      const to = featureOf(target.path);
      // All features share the kernel, file by file.
      if (to === undefined || to.name === from.name || to.name === 'kernel') return undefined;
      return to.inner === '' || to.inner === 'index'
        ? undefined
        : `feature ${from.name} reaches into ${to.name} past its index`;
    },
  },
  {
    rule: 'folder order',
    check: (file, target) =>
      target.kind === 'file' && !isTestCode(file) ? checkFolderOrder(file, target.path) : undefined,
  },
  {
    rule: 'homes',
    check: (file, target, reference) => {
      if (target.kind !== 'package') return undefined;
      if (target.name === '@tieout/infra' && reference.names.includes('Prisma') && !/^packages\/domain\//.test(file)) {
        return 'Prisma is used in packages/infra and packages/domain only';
      }
      const misplaced = homes.find(({ packages, home }) => packages.test(target.name) && !home.test(file));
      return misplaced && `${target.name} is imported in ${misplaced.where} only`;
    },
  },
  {
    rule: 'wire protocol',
    check: (file, target) =>
      target.kind === 'file' && target.path.startsWith(`${database}wire/`) && !file.startsWith(database)
        ? `${database}wire is imported inside ${database} only`
        : undefined,
  },
  {
    rule: 'pure engine',
    check: (file, target) =>
      isEngine(file) && target.kind === 'builtin' ? `the engine uses no module of Node (${target.name})` : undefined,
  },
];

function isEngine(file: string): boolean {
  return file.startsWith('packages/engine/src/') && !isTestCode(file);
}

/** Globals through which clock, chance, network and environment reach code. */
const impure =
  /^(Date\.now|Date\(\)|new Date\(\)|Math\.random|(process|crypto|performance|fetch|globalThis|console)\b.*)$/;

function checkGlobals(file: ParsedFile): Violation[] {
  const violations: Violation[] = [];
  for (const { name, line } of file.globals) {
    const where = `${file.path}:${line}`;
    if (isEngine(file.path) && impure.test(name))
      violations.push({ rule: 'pure engine', where, message: `the engine does not use ${name}` });
    else if (name === 'process.env' && !mayReadEnvironment(file.path)) {
      violations.push({ rule: 'environment', where, message: 'process.env is read in config modules only' });
    }
  }
  return violations;
}

/** Names of the module `process`, imported or taken out of the global, that give the environment. */
function checkEnvironmentImports(file: ParsedFile): Violation[] {
  if (mayReadEnvironment(file.path)) return [];
  return file.references
    .filter(
      ({ specifier, names }) =>
        /^(node:)?process$/.test(specifier) && names.some((n) => n === 'env' || n === 'default' || n === '*'),
    )
    .map(({ line }) => ({
      rule: 'environment',
      where: `${file.path}:${line}`,
      message: 'process.env is read in config modules only',
    }));
}

/** Everything in these files that breaks a rule of docs/explanation/architecture.md, cycles and manifests apart. */
export function checkFiles(files: readonly ParsedFile[]): Violation[] {
  return files.flatMap((file) => {
    const byReference = file.references.flatMap((reference) => {
      const target = targetOf(file.path, reference.specifier);
      return referenceRules.flatMap(({ rule, check }) => {
        const message = check(file.path, target, reference);
        return message === undefined ? [] : [{ rule, where: `${file.path}:${reference.line}`, message }];
      });
    });
    return [...byReference, ...checkEnvironmentImports(file), ...checkGlobals(file)];
  });
}
