import { join, resolve } from "node:path";
import * as v from "valibot";
import { projectOf } from "../build/index.ts";
import { ADMIN_ONLY, namedAdminScope } from "../shared/auth/scopes/admin-scope.ts";
import type { RegistryManifest } from "../shared/runtime/registry-manifest.ts";
import { models } from "../shared/settings/rows/models.ts";
import { bundlesInPlace, openBundles } from "./bundles.ts";
import { type Cloud, type CloudOptions, type Invoked, startCloud } from "./cloud.ts";
import { hotReload } from "./dev/hot-reload.ts";
import type { KnownAddresses } from "./http/browser-guard.ts";
import { SIGN_IN_PATH, signInLink } from "./http/sign-in-link.ts";
import { openIdentity, type TokenClaims } from "./identity.ts";
import { lockDataFolder } from "./machine/data-lock.ts";
import { appContext, outsideKeys } from "./template/app-context.ts";
import type { Stack } from "./template/stack.ts";
import { type Synthesizer, synthesize } from "./template/synthesize.ts";
import { toolSecretsIn } from "./template/tool-secrets.ts";

export type PlatformOptions = {
  readonly dataDir: string;
  /** Folder with the identity provider's key; the data folder when absent. */
  readonly identityDir?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Settings, as `npm start` would find them in its environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** File that exports the `registry`; this project's own when absent. */
  readonly registry?: string | undefined;
  /** Context values of the CDK app, over those that follow from the environment. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
  /** Invocations that one thread serves at a time; `LAMBDA_CONCURRENCY` or 16 when absent. */
  readonly perThread?: number;
  /** Called with what is being done. */
  readonly progress?: (step: string) => void;
  /** Called with how far the bundling has come, also after the start. */
  readonly passing?: (step: string) => void;
  /** If given, edited sources are reloaded while it runs, and it is called with what was reloaded. */
  readonly reloaded?: (line: string) => void;
  /** Folder of the sources that are watched then; this project's when absent. */
  readonly sources?: string;
  readonly show?: (line: string) => void;
  readonly shownToAuthor?: CloudOptions["shownToAuthor"];
  /** Called when the link to the console has been used; a new one is needed then. */
  readonly signedIn?: () => void;
  /**
   * For a process that starts many platforms from sources that do not change while it lives. The bundles are all there
   * then. What is read from the sources is read anew for each platform when absent.
   */
  readonly synthesizer?: Synthesizer;
  /** When the template's own timers first fire; at once when absent. */
  readonly timersFirstFire?: CloudOptions["timersFirstFire"];
  /** Called for each invocation that gave a result, and what it took. */
  readonly invoked?: Invoked;
};

export type Platform = Cloud & {
  readonly token: (claims: TokenClaims) => string;
  /** The scope that makes an admin here. */
  readonly adminScope: string;
  /** What the registry declares, as it was when the platform started. */
  readonly manifest: RegistryManifest;
  /**
   * Makes a link that signs whoever opens it in to the console as an admin, once; the one before it is void then. Undefined
   * where the console is off.
   */
  readonly consoleLink: (() => string) | undefined;
};

/** Who a caller without a credential is, where the platform on this machine was started with open access. */
const guestOf = (adminScope: string) => ({ sub: "guest", scopes: [adminScope], hours: 1 });

export const isOpen = ({ OPEN_ACCESS }: Readonly<Record<string, string | undefined>>): boolean =>
  OPEN_ACCESS === "true";

/**
 * Starts the platform: templates, engines, functions. Bundles that are out of date are made meanwhile, and what is not
 * needed yet is bundled while the platform runs.
 *
 * @throws StartupError with what to do when something on the machine is in the way, or a tool's secret is missing;
 *         RegistryError when the registry cannot be loaded or is refused
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const {
    progress = () => {},
    passing = () => {},
    show = () => {},
    concurrency,
    perThread,
    synthesizer,
    registry,
  } = options;
  const project = projectOf({ registry });
  const dataDir = resolve(options.dataDir);
  await using started = new AsyncDisposableStack();
  started.defer(lockDataFolder(dataDir));
  const bundles = synthesizer
    ? bundlesInPlace({ registry })
    : openBundles({ registry, progress, passing, show });
  started.defer(bundles.stop);
  const identity = openIdentity(options.identityDir ?? dataDir);
  const environment = options.environment ?? {};
  const context = { ...appContext(identity, environment), ...options.context };
  const adminScope = namedAdminScope(String(context.adminScope ?? ADMIN_ONLY));
  const synthesized = (manifest: RegistryManifest) =>
    synthesize(context, join(dataDir, "cdk.out"), identity.publicParts, synthesizer, { registry, manifest });
  const admin = () => identity.token({ sub: "admin", scopes: [adminScope] });
  const used = options.signedIn ?? (() => {});
  const link = context.console === "off" ? undefined : signInLink({ token: admin, used });
  let templates: readonly Stack[] = [];
  let toolSecrets: Readonly<Record<string, string>> = {};
  const stacks = async () => {
    const manifest = await bundles.manifest;
    toolSecrets = toolSecretsIn(environment, manifest.needs, mappedSecrets(context), project.home);
    templates = await synthesized(manifest);
    progress("template synthesized");
    return templates;
  };
  const cloud = await startCloud({
    stacks,
    dataDir,
    port: options.port,
    outsideKeys: outsideKeys(environment),
    toolSecrets: () => toolSecrets,
    // A run of the whole suite is recorded, whatever environments its tests make.
    grantsRecord: process.env.GRANTS_RECORD,
    addresses: addressesIn(context),
    guestToken: isOpen(environment) ? () => identity.token(guestOf(adminScope)) : undefined,
    ...(link && { ownAnswers: { [`POST ${SIGN_IN_PATH}`]: link.handle } }),
    ...(concurrency !== undefined && { concurrency }),
    ...(perThread !== undefined && { perThread }),
    bundled: bundles.need,
    progress,
    show,
    shownToAuthor: options.shownToAuthor,
    ...(options.timersFirstFire && { timersFirstFire: options.timersFirstFire }),
    ...(options.invoked && { invoked: options.invoked }),
  });
  started.defer(cloud.stop);
  // Before the cloud, which waits for requests that may wait for a bundle.
  started.defer(bundles.stop);
  await bundles.ready();
  const { reloaded: say, sources } = options;
  const edited = sources === undefined ? project : projectOf({ root: sources });
  if (say) {
    const { dist } = project;
    started.defer(
      hotReload({ edited, dist, bundles, cloud, running: templates, synthesize: synthesized, say }),
    );
  }
  const running = started.move();
  return {
    ...cloud,
    stop: () => running.disposeAsync(),
    token: identity.token,
    adminScope,
    manifest: await bundles.manifest,
    consoleLink: link && (() => `${cloud.url}${link.renew()}`),
  };
}

const addressesIn = ({
  publicUrl,
  corsAllowedOrigins,
}: Readonly<Record<string, unknown>>): KnownAddresses => ({
  ...(typeof publicUrl === "string" && { publicUrl }),
  ...(typeof corsAllowedOrigins === "string" && { corsAllowedOrigins }),
});

/** Names of the secrets of tools that are in Secrets Manager; a text that is none is refused by what synthesizes. */
function mappedSecrets({ toolSecrets }: Readonly<Record<string, unknown>>): string[] {
  const { given, schema } = models.toolSecrets.form;
  const mapped = v.safeParse(v.pipe(given, schema), toolSecrets);
  return mapped.success ? Object.keys(mapped.output) : [];
}
