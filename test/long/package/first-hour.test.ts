import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { runNode } from "../../support/run-command.ts";

/** A user whose own Node is new enough: nothing of this repository, and no Node in the projects. */
const env = { PATH_OF_USERS: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
const root = join(import.meta.dirname, "../../..");

/** Ends with 0 where the registry answers. */
const ASKS_REGISTRY = `
  const url = process.env.npm_config_registry ?? "https://registry.npmjs.org/";
  const { ok } = await fetch(new URL("valibot", url), { signal: AbortSignal.timeout(20_000) });
  process.exitCode = ok ? 0 : 1;
`;

test(
  "from the tarballs to an own agent that answers, and the support desk's tests under npm and pnpm",
  async ({ skip }) => {
    skip(
      process.env.FIRST_HOUR !== "1",
      "it packs for two minutes and installs from npm's registry: FIRST_HOUR=1 runs it",
    );
    const { code: reached } = await runNode(["--eval", ASKS_REGISTRY], root, {
      ...env,
      NODE_USE_SYSTEM_CA: "1",
    });
    skip(reached !== 0, "npm's registry, from which a new project is installed, cannot be reached");
    const script = "scripts/package/try-first-hour.ts";
    const { code, out, err } = await runNode([script, "--desk", "--untimed"], root, env);
    expect(code, `${out}\n${err}`).toBe(0);
    expect(out).toMatch(/s to the first answer, \d+ MB installed/);
    expect(out).toMatch(/its tests by npm.*its tests by pnpm/s);
    console.log(out);
  },
  15 * HANGS_AFTER_MS,
);
