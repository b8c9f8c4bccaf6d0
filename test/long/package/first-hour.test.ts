import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { runNode } from "../../support/run-command.ts";

/** A user whose own Node is new enough: nothing of this repository, and no Node in the projects. */
const env = { PATH_OF_USERS: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
const root = join(import.meta.dirname, "../../..");

/** Ends with 0 where the registry answers a client that trusts what npm will trust. */
const ASKS_REGISTRY = `
  const url = process.env.npm_config_registry ?? "https://registry.npmjs.org/";
  const { ok } = await fetch(new URL("valibot", url), { signal: AbortSignal.timeout(20_000) });
  process.exitCode = ok ? 0 : 1;
`;

/**
 * The script packs, makes four projects from the tarballs with what npm's registry has, and throws at the first thing that is not as it
 * should be; see its own description. It takes about a minute.
 */
test(
  "from the tarballs to an own agent that answers; a debugger; the AI SDK; the support desk at a terminal, by npm and by pnpm",
  async ({ skip }) => {
    const trusts = process.env.NODE_EXTRA_CA_CERTS === undefined ? { NODE_USE_SYSTEM_CA: "1" } : {};
    const { code: reached } = await runNode(["--eval", ASKS_REGISTRY], root, { ...env, ...trusts });
    skip(reached !== 0, "npm's registry, from which a new project is installed, cannot be reached");
    const script = "scripts/package/try-first-hour.ts";
    const { code, out, err } = await runNode([script, "--whole", "--untimed"], root, env);
    expect(code, `${out}\n${err}`).toBe(0);
    expect(out).toMatch(/s to the first answer, \d+ MB installed/);
    for (const step of [
      "a debugger stops in a tool",
      "its agent answers",
      "its tests by npm",
      "its tests by pnpm",
    ])
      expect(out).toContain(step);
    console.log(out);
  },
  15 * HANGS_AFTER_MS,
);
