import { join, resolve } from "node:path";
import { build, isFresh } from "../scripts/build.ts";
import { type Cloud, type Invoked, startCloud } from "./cloud.ts";
import { hotReload } from "./dev/hot-reload.ts";
import { openIdentity, type TokenClaims } from "./identity.ts";
import { lockDataFolder } from "./machine/data-lock.ts";
import { appContext, chatKeys, modelKeys } from "./template/app-context.ts";
import type { Stack } from "./template/stack.ts";
import { synthesize } from "./template/synthesize.ts";

const root = join(import.meta.dirname, "..");

export type PlatformOptions = {
  readonly dataDir: string;
  /** Folder with the identity provider's key; the data folder when absent. */
  readonly identityDir?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Settings, as `npm start` would find them in its environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Context values of the CDK app, over those that follow from the environment. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
  /** Invocations that one thread serves at a time; `LAMBDA_CONCURRENCY` or 16 when absent. */
  readonly perThread?: number;
  /** Told what is being done. */
  readonly progress?: (step: string) => void;
  /** Told how far the longer of its steps have come. */
  readonly passing?: (step: string) => void;
  /** Edited sources are taken up while it runs where this is given; it is told of them. */
  readonly reloaded?: (line: string) => void;
  /** Folder of the sources that are watched then; this project's when absent. */
  readonly sources?: string;
  readonly show?: (line: string) => void;
  /** Told of each invocation that gave a result, and what it took. */
  readonly invoked?: Invoked;
};

export type Platform = Cloud & { readonly token: (claims: TokenClaims) => string };

/** Who somebody without a credential is, where the platform on this machine was started with open access. */
const guest = { sub: "guest", scopes: ["platform:admin"], hours: 1 } as const;

export const isOpen = ({ OPEN_ACCESS }: Readonly<Record<string, string | undefined>>): boolean =>
  OPEN_ACCESS === "true";

/**
 * Starts this project's platform: bundles when they are out of date, templates, engines, functions.
 *
 * @throws StartupError with what to do when something on the machine is in the way
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { progress = () => {}, passing = () => {}, show, concurrency, perThread } = options;
  const dataDir = resolve(options.dataDir);
  const unlock = lockDataFolder(dataDir);
  try {
    const identity = openIdentity(options.identityDir ?? dataDir);
    const environment = options.environment ?? {};
    const context = { ...appContext(identity, environment), ...options.context };
    const synthesized = () => synthesize(context, join(dataDir, "cdk.out"));
    let running: readonly Stack[] = [];
    const stacks = async () => {
      if (!isFresh()) {
        const told = (name: string, done: number, of: number) =>
          passing(`${done} of ${of} functions bundled: ${name}`);
        const { bundled } = await build({ told });
        progress(`${bundled.length} functions bundled`);
      }
      running = await synthesized();
      progress("template synthesized");
      return running;
    };
    const cloud = await startCloud({
      stacks,
      dataDir,
      port: options.port,
      modelKeys: modelKeys(environment),
      chatKeys: chatKeys(environment),
      // A run of the whole suite is recorded, whatever environments its tests make.
      grantsRecord: process.env.GRANTS_RECORD,
      guestToken: isOpen(environment) ? () => identity.token(guest) : undefined,
      ...(concurrency !== undefined && { concurrency }),
      ...(perThread !== undefined && { perThread }),
      ...(show && { show }),
      ...(options.invoked && { invoked: options.invoked }),
    });
    const { reloaded: say, sources = root } = options;
    const dist = join(root, "dist");
    const unwatch = say && hotReload({ sources, dist, cloud, running, synthesize: synthesized, say });
    const stop = async (): Promise<void> => {
      unwatch?.();
      await cloud.stop();
      unlock();
    };
    return { ...cloud, stop, token: identity.token };
  } catch (error) {
    unlock();
    throw error;
  }
}
