/** One part that a platform cannot do without. */
export type Part = {
  /** As the answer names it: `authorizer`, `table jobs`. */
  readonly name: string;
  /** Whether it answers; an error is a no. */
  readonly answers: () => Promise<boolean>;
};

/** @returns the names of the parts that do not answer */
export type DeepHealth = () => Promise<readonly string[]>;

type Options = {
  readonly connect: () => Promise<readonly Part[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onFault: (part: string, cause: unknown) => void;
};

/** How long an answer is kept. */
const KEPT_MS = 5_000;
/** A part that takes longer does not answer. Less than the gateway waits. */
const PATIENCE_MS = 8_000;

/**
 * Asks every part, at once. Everybody may ask, so one answer serves all requests of an instance for five seconds: whoever floods
 * `/health?deep=1` causes no more than one call of each part in this time.
 */
export function createDeepHealth({ connect, now, onFault }: Options): DeepHealth {
  let kept: { readonly at: number; readonly missing: Promise<readonly string[]> } | undefined;
  const ask = async (): Promise<readonly string[]> => {
    const parts = await connect();
    const asked = parts.map(async ({ name, answers }) => {
      try {
        return (await inTime(answers())) ? [] : [name];
      } catch (cause) {
        onFault(name, cause);
        return [name];
      }
    });
    return (await Promise.all(asked)).flat();
  };
  return () => {
    if (kept === undefined || now() - kept.at >= KEPT_MS) kept = { at: now(), missing: ask() };
    return kept.missing;
  };
}

async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
