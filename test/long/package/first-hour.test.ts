import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { runNode } from "../../support/run-command.ts";

/** A user whose own Node is new enough: nothing of this repository, and no Node in the projects. */
const env = { PATH_OF_USERS: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
const root = join(import.meta.dirname, "../../..");

test(
  "from the tarballs to an own agent that answers, and the support desk's tests under npm and pnpm",
  async () => {
    const script = "scripts/package/try-first-hour.ts";
    const { code, out, err } = await runNode([script, "--desk", "--untimed"], root, env);
    expect(code, `${out}\n${err}`).toBe(0);
    expect(out).toMatch(/s to the first answer, \d+ MB installed/);
    expect(out).toMatch(/its tests by npm.*its tests by pnpm/s);
    console.log(out);
  },
  15 * HANGS_AFTER_MS,
);
