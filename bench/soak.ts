/**
 * Runs mixed work on the local platform for a long time while its process, or the database's, is killed again and again,
 * and accounts for everything that was accepted: runs, streams, pauses, slots of a schedule, chat messages and contents.
 * `npm run bench:soak [-- --minutes 60] [--per-second 2] [--seed N]`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BOT_TOKEN, startBot, WEBHOOK_SECRET } from "../test/support/chat-platforms/bot-server.ts";
import { GRACE_SECONDS, randomFrom } from "../test/support/kill-campaign.ts";
import { killablePlatform } from "../test/support/killable-platform.ts";
import { printTable } from "./figures.ts";
import { platformUsage } from "./process-usage.ts";
import { killDatabaseOf } from "./soak/kill-database.ts";
import { kindsOfWork } from "./soak/kinds-of-work.ts";
import { type Ledger, newLedger } from "./soak/ledger.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    "per-second": { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const random = randomFrom(seed);
const KILL_EVERY_MS = [20_000, 90_000] as const;
/** Every so many kills meet the database alone. */
const DATABASE_KILLS = 4;
const SETTLES_WITHIN_MS = 10 * 60_000;
console.log(`seed ${seed}, ${minutes} minutes`);

const bot = await startBot();
const platform = await killablePlatform({
  LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
  MAX_ATTEMPTS: "20",
  MAX_QUEUE_DEPTH: "0",
  TELEGRAM: JSON.stringify({ component: "agents/assistant", api_url: bot.url }),
  TELEGRAM_TOKEN: BOT_TOKEN,
  TELEGRAM_WEBHOOK_SECRET_TOKEN: WEBHOOK_SECRET,
});
const ledger = newLedger();
const until = Date.now() + minutes * 60_000;
const memory: { readonly minute: number; readonly own: number; readonly database: number }[] = [];
let kills = { platform: 0, database: 0 };
try {
  await platform.start();
  const kinds = kindsOfWork(platform, bot, ledger);
  await Promise.all([work(kinds), killing(), watchMemory()]);
  const left = await settle(ledger);
  report(ledger, left);
} finally {
  await platform.end();
  await bot.stop();
}

async function work(kinds: ReturnType<typeof kindsOfWork>): Promise<void> {
  const gapMs = 1000 / Number(values["per-second"]);
  const started: Promise<void>[] = [];
  for (let n = 0; Date.now() < until; n += 1) {
    const kind = kinds[n % kinds.length];
    // A request that meets a dying process was not accepted, and promises nothing.
    if (kind) started.push(kind(n).catch(() => undefined));
    await pause(gapMs);
  }
  await Promise.all(started);
}

async function killing(): Promise<void> {
  const [least, most] = KILL_EVERY_MS;
  for (let n = 1; ; n += 1) {
    const waitMs = least + random() * (most - least);
    if (Date.now() + waitMs > until) return;
    await pause(waitMs);
    if (n % DATABASE_KILLS === 0 && killDatabaseOf(platform.pid()))
      kills = { ...kills, database: kills.database + 1 };
    else kills = { ...kills, platform: kills.platform + 1 };
    // A platform without its database is of no use to anybody: whoever watches it starts it again.
    await platform.kill();
    await platform.start();
  }
}

async function watchMemory(): Promise<void> {
  for (let minute = 0; Date.now() < until; minute += 1) {
    await pause(60_000);
    const usage = platformUsage(platform.pid() ?? 0);
    if (usage) memory.push({ minute, own: usage.own.memoryMb, database: usage.database.memoryMb });
  }
}

/** Waits until everything is accounted for. @returns what is not */
async function settle(of: Ledger): Promise<readonly string[]> {
  for (const deadline = Date.now() + SETTLES_WITHIN_MS; ; await pause(1_000)) {
    const left = await of.unaccounted().catch((error) => [String(error)]);
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}

function report(of: Ledger, left: readonly string[]): void {
  const most = (from: number, to: number, what: "own" | "database") =>
    Math.max(
      0,
      ...memory.filter(({ minute }) => minute >= from && minute < to).map((sample) => sample[what]),
    );
  const third = Math.max(1, Math.floor(minutes / 3));
  const megabytes = (what: "own" | "database") =>
    [0, 1, 2].map((n) => `${most(n * third, (n + 1) * third, what).toFixed(0)}`).join(" / ");
  printTable([
    ...of.rows(),
    { what: "kills of the platform, of the database alone", figure: `${kills.platform}, ${kills.database}` },
    { what: "not accounted for", figure: String(left.length), goal: "0" },
    { what: "memory at most in each third: platform, MB", figure: megabytes("own") },
    { what: "memory at most in each third: database, MB", figure: megabytes("database") },
  ]);
  for (const one of left.slice(0, 50)) console.log(one);
  if (left.length > 0) process.exitCode = 1;
}
